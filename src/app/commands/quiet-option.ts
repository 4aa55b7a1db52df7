import { type Command, Option } from 'commander';

/** Adds `--quiet` to every command but `api`, whose `-q` is `--query`, as in other tools. */
export function addQuietOption(command: Command): void {
  if (command.options.some(({ short }) => short === '-q')) return;
  command.addOption(new Option('-q, --quiet', 'print only errors, and data such as lists and JSON'));
}

/** `--summary` of a command that prints a plan, its result, or a comparison. */
export const summaryOption = (): Option =>
  new Option('--summary', 'print totals, problems and price, without the fields of each object').conflicts([
    'json',
    'quiet',
  ]);
