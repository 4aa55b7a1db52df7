import { type Command, InvalidArgumentError } from 'commander';
import { nearestHint, OVERRIDES, type Override, type PlanningOptions } from '../index.js';
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
    .option('--allow <guard>', `let a guard pass: ${OVERRIDES.join(', ')}; can be repeated`, parseOverride)
    .option('--confirm <workspace>', 'the name of a production workspace in which something is deleted or replaced')
    .option('--max-requests <n>', 'block everything where it would take more requests', wholeNumber(0));

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
  throw new InvalidArgumentError(nearestHint(text, OVERRIDES) ?? `Known: ${OVERRIDES.join(', ')}.`);
}
