import { InvalidArgumentError, Option } from 'commander';

/** `--reason` of every command that writes a journal; the operation gets it with the options of the project. */
export const reasonOption = (description = 'reason for this change; `dexsync history` shows it'): Option =>
  new Option('--reason <text>', description).argParser(parseReason);

/** Refuses an empty reason, such as an unset variable of a script. */
function parseReason(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('Give a reason, such as a ticket number.');
  return trimmed;
}
