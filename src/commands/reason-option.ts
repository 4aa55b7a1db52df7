import { InvalidArgumentError, Option } from 'commander';

/** Of every command that leaves a journal; the value reaches the operation with the project's options. */
export const reasonOption = (): Option =>
  new Option('--reason <text>', 'why it is done; `dexsync history` shows it').argParser(parseReason);

/** One that a script filled with nothing would be missed by whoever asks for it later. */
function parseReason(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new InvalidArgumentError('A text is expected.');
  return trimmed;
}
