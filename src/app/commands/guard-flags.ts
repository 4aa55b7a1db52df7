import { type Command, InvalidArgumentError, Option } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { nearestHint } from '../library/internal.js';
import { OVERRIDES, type Override, type PlanningOptions } from '../library/library.js';
import { pickGiven, wholeNumber } from './option-values.js';

/** Flags of `addGuardOptions`. */
export interface GuardFlags {
  readonly allow?: readonly Override[];
  readonly confirm?: string;
  readonly maxRequests?: number;
}

/** Adds the options of every command that a guard can block. */
export const addGuardOptions = (command: Command): Command =>
  command
    .optionsGroup('Guard options:')
    .addOption(allowOption())
    .option(
      '--confirm <workspace>',
      'name of the production workspace, to confirm that objects in it are deleted or replaced',
    )
    .option('--max-requests <n>', 'block the plan if applying it takes more requests than this', wholeNumber(0))
    .optionsGroup('Options:');

/** `--allow` of commands that guards can block. */
export const allowOption = (): Option =>
  new Option('--allow <guard>', `override a guard: ${OVERRIDES.join(', ')}; can be repeated`).argParser(parseOverride);

/** The options of planning for the consent that was given on the command line. */
export const toConsentOptions = ({
  confirm,
  ...flags
}: GuardFlags): Pick<PlanningOptions, 'allow' | 'confirmed' | 'maxRequests'> => ({
  ...pickGiven(flags, 'allow', 'maxRequests'),
  ...omitUndefined({ confirmed: confirm }),
});

function parseOverride(text: string, given: readonly Override[] = []): readonly Override[] {
  const known = OVERRIDES.find((name) => name === text);
  if (known !== undefined) return [...given, known];
  throw new InvalidArgumentError(nearestHint(text, OVERRIDES) ?? `The guards are ${OVERRIDES.join(', ')}.`);
}
