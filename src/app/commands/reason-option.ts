import { InvalidArgumentError, Option } from 'commander';

/** Of every command that leaves a journal; the value reaches the operation with the project's options. */
export const reasonOption = (description = 'reason for this change; `dexsync history` shows it'): Option =>
  new Option('--reason <text>', description).argParser(parseReason);

/** An empty one from a script would be missed when somebody looks for the reason later. */
function parseReason(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('Give a reason, such as a ticket number.');
  return trimmed;
}
