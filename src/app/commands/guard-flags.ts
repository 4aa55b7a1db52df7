import { type Command, InvalidArgumentError, Option } from 'commander';
import { nearestHint, OVERRIDES, type Override, type PlanningOptions } from '../library/library.js';
import { wholeNumber } from './option-values.js';

/** What `guardOptions` adds. */
export interface GuardFlags {
  readonly allow?: readonly Override[];
  readonly confirm?: string;
  readonly maxRequests?: number;
}

/** Options of every command that a guard can hold back. */
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

/** For commands that guards hold back. */
export const allowOption = (): Option =>
  new Option('--allow <guard>', `override a guard: ${OVERRIDES.join(', ')}; can be repeated`).argParser(parseOverride);

/** What was agreed to on the command line, as planning takes it. */
export const consentOf = ({
  allow,
  confirm,
  maxRequests,
}: GuardFlags): Pick<PlanningOptions, 'allow' | 'confirmed' | 'maxRequests'> => ({
  ...(allow === undefined ? {} : { allow }),
  ...(confirm === undefined ? {} : { confirmed: confirm }),
  ...(maxRequests === undefined ? {} : { maxRequests }),
});

function parseOverride(text: string, given: readonly Override[] = []): readonly Override[] {
  const known = OVERRIDES.find((name) => name === text);
  if (known !== undefined) return [...given, known];
  throw new InvalidArgumentError(nearestHint(text, OVERRIDES) ?? `The guards are ${OVERRIDES.join(', ')}.`);
}
