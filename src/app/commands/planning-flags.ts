import { type Command, Option } from 'commander';
import { DexsyncError, type PlanningOptions } from '../library/library.js';
import { addGuardOptions, type GuardFlags, toConsentOptions } from './guard-flags.js';
import { collectTexts, pickGiven } from './option-values.js';

/** Flags that select manifests. */
export interface SelectionFlags {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Flags of `addPlanningOptions`. */
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

/** Adds the options of every command that makes a plan of the manifests. */
export const addPlanningOptions = (command: Command): Command =>
  addSelectionOptions(
    addChangeOptions(
      addGuardOptions(command)
        .optionsGroup('Planning options:')
        .option('--prune', 'delete what this stack owns and no manifest describes'),
    ),
  );

/** Adds the options of a command that makes a plan of live objects. */
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

/** `--gone` of commands that must know whether an object is gone. */
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

/** Adds the options of every command that works on selected manifests. */
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

export const pickSelection = (flags: SelectionFlags): SelectionFlags => pickGiven(flags, 'only', 'exclude');

/** The options of planning for these flags; those that were not given are absent. */
export const toPlanningOptions = ({
  prune,
  adopt,
  removeCopies,
  previewPages,
  ...flags
}: PlanningFlags): PlanningOptions => ({
  ...(prune === undefined ? {} : { prune: 'yes' }),
  ...(adopt === undefined ? {} : { adopt: adopt === true ? 'given' : adopt }),
  ...(removeCopies === true ? { copies: 'given' as const } : {}),
  ...(previewPages === undefined ? {} : { previewPages: pagesFolder(previewPages, flags.preview) }),
  ...pickGiven(flags, 'replace', 'gone', 'reimport', 'preview', 'only', 'exclude'),
  ...toConsentOptions(flags),
});

function pagesFolder(folder: string, preview: PlanningFlags['preview']): string {
  if (preview !== 'none') return folder;
  throw new DexsyncError('USAGE', '`--preview-pages` shows what `--preview none` does not compare.', {
    hint: 'Leave out one of them.',
  });
}
