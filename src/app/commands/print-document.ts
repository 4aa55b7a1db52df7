import { texts } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { logText } from './pipeline-log.js';

/** Flags of a command whose result is one document. */
export interface DocumentFlags extends GlobalOptions {
  readonly json?: boolean;
}

/** What `texts` resolves to. */
export type LoadedTexts = Awaited<ReturnType<typeof texts>>;

/** Prints a command's result on standard output: as one JSON document under `--json`, otherwise as text for people. */
export async function printDocument<T>(
  cli: Cli,
  { json }: DocumentFlags,
  value: T,
  textOf: (texts: LoadedTexts) => (value: T) => string,
): Promise<void> {
  if (json === true) cli.out.write(logText(cli, jsonDocument(value), 'json'));
  else cli.out.write(logText(cli, textOf(await texts(cli.color, cli.width))(value)));
}

/** The same for what a command did or found wrong, which is no data: `--quiet` leaves the exit code and JSON to say it. */
export async function printOutcome<T>(
  cli: Cli,
  flags: DocumentFlags,
  value: T,
  textOf: (texts: LoadedTexts) => (value: T) => string,
): Promise<void> {
  if (flags.quiet !== true || flags.json === true) await printDocument(cli, flags, value, textOf);
}

/** One JSON document, as every `--json` that is no stream prints it. */
export const jsonDocument = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
