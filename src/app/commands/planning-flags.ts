import { type Command, Option } from 'commander';
import { DexsyncError, type PlanningOptions } from '../library/library.js';
import { addGuardOptions, consentOf, type GuardFlags } from './guard-flags.js';
import { collectTexts } from './option-values.js';

/** Which manifests are meant. */
export interface SelectionFlags {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
}

/** What `planningOptions` adds. */
export interface PlanningFlags extends GuardFlags, SelectionFlags {
  readonly prune?: boolean;
  readonly adopt?: true | 'matching' | 'never';
  readonly removeCopies?: boolean;
  readonly replace?: readonly string[];
  readonly gone?: readonly string[];
  readonly reimport?: readonly string[];
  readonly preview?: NonNullable<PlanningOptions['preview']>;
  readonly previewPages?: string;
}

/** Options of every command that makes a plan of the manifests. */
export const addPlanningOptions = (command: Command): Command =>
  addSelectionOptions(
    addChangeOptions(
      addGuardOptions(command)
        .optionsGroup('Planning options:')
        .option('--prune', 'delete what this stack owns and no manifest describes'),
    ),
  );

/** Options of a command that makes a plan of objects, which it names itself. */
export const addPromotionOptions = (command: Command): Command =>
  addChangeOptions(
    addGuardOptions(command)
      .optionsGroup('Planning options:')
      .option(
        '--only <pattern>',
        'promote only these objects, also those of no stack, and what they refer to: KIND, KIND/NAME, label:KEY, label:KEY=VALUE ' +
          'or file:PATH; Import/NAME plans that import from its manifest; can be repeated',
        collectTexts,
      )
      .option(
        '--exclude <pattern>',
        'leave out these objects, even if others refer to them; can be repeated',
        collectTexts,
      ),
  );

/** For commands that must know whether an object is gone. */
export const goneOption = (): Option =>
  new Option(
    '--gone <address>',
    'take this object for deleted, though the service does not prove it; * matches any text; can be repeated',
  ).argParser(collectTexts);

const addChangeOptions = (command: Command): Command =>
  command
    .optionsGroup('Planning options:')
    .addOption(
      new Option('--adopt [which]', 'adopt existing objects: all, or only matching ones, or none').choices([
        'matching',
        'never',
      ]),
    )
    .option('--remove-copies', 'delete, or rename away, unused copies that a repeated request created')
    .option('--replace <address>', 'recreate this object; can be repeated', collectTexts)
    .addOption(goneOption())
    .option('--reimport <address>', 'send this import again; can be repeated', collectTexts)
    .addOption(
      new Option(
        '--preview <how>',
        'compare the rows of imports with the workspace: auto (if it takes few requests), none, or full',
      ).choices(['auto', 'none', 'full']),
    )
    .option(
      '--preview-pages <folder>',
      'also write a page for each import that was compared: its sheet in a browser, changed cells marked',
    )
    .optionsGroup('Options:');

/** Options of every command that works on some of the manifests. */
export const addSelectionOptions = (command: Command): Command =>
  command
    .optionsGroup('Planning options:')
    .option(
      '--only <pattern>',
      'plan only these manifests and what they refer to: KIND, KIND/NAME, label:KEY, label:KEY=VALUE or file:PATH; ' +
        '* matches any text, ? one character; can be repeated',
      collectTexts,
    )
    .option(
      '--exclude <pattern>',
      'leave out these manifests, even if others refer to them; can be repeated',
      collectTexts,
    )
    .optionsGroup('Options:');

export const selectionOf = ({ only, exclude }: SelectionFlags): Pick<PlanningOptions, 'only' | 'exclude'> => ({
  ...(only === undefined ? {} : { only }),
  ...(exclude === undefined ? {} : { exclude }),
});

/** The flags as planning takes them; what was not given is absent. */
export const planningOf = ({
  prune,
  adopt,
  removeCopies,
  replace,
  gone,
  reimport,
  preview,
  previewPages,
  ...flags
}: PlanningFlags): PlanningOptions => ({
  ...(prune === undefined ? {} : { prune: 'yes' }),
  ...(adopt === undefined ? {} : { adopt: adopt === true ? 'given' : adopt }),
  ...(removeCopies === true ? { copies: 'given' as const } : {}),
  ...(replace === undefined ? {} : { replace }),
  ...(gone === undefined ? {} : { gone }),
  ...(reimport === undefined ? {} : { reimport }),
  ...(preview === undefined ? {} : { preview }),
  ...(previewPages === undefined ? {} : { previewPages: pagesFolder(previewPages, preview) }),
  ...selectionOf(flags),
  ...consentOf(flags),
});

function pagesFolder(folder: string, preview: PlanningFlags['preview']): string {
  if (preview !== 'none') return folder;
  throw new DexsyncError('USAGE', '`--preview-pages` shows what `--preview none` does not compare.', {
    hint: 'Leave out one of them.',
  });
}
