import { type Command, Option } from 'commander';

/** `--quiet` of every command; `api` has its own `-q`, as `--query` of other tools. */
export function addQuietOption(command: Command): void {
  if (command.options.some(({ short }) => short === '-q')) return;
  command.addOption(new Option('-q, --quiet', 'print only errors, and data such as lists and JSON'));
}

/** `--summary` of a command that prints a plan or what became of it. */
export const summaryOption = (): Option =>
  new Option('--summary', 'print totals, problems and price, without the fields of each object').conflicts([
    'json',
    'quiet',
  ]);
