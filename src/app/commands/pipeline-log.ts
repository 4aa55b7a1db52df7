import {
  jsonWithoutWorkflowCommands,
  type Output,
  withoutWorkflowCommands,
  yamlWithoutWorkflowCommands,
} from '../library/library.js';
import type { Cli } from './cli-context.js';

const isRead = ({ host }: Pick<Cli, 'host'>): boolean => host.variables.GITHUB_ACTIONS === 'true';

/**
 * What goes to the log of a pipeline: names and reasons in it must not act as commands of GitHub Actions, whose runner reads
 * both streams. Files that were fetched, and reports of `--output`, stay as they are.
 */
export const logText = (cli: Pick<Cli, 'host'>, text: string, form: 'text' | 'json' = 'text'): string => {
  if (!isRead(cli)) return text;
  return form === 'json' ? jsonWithoutWorkflowCommands(text) : withoutWorkflowCommands(text);
};

/** The same for YAML, which means what it meant. */
export const logYaml = async (cli: Pick<Cli, 'host'>, text: string): Promise<string> =>
  isRead(cli) ? yamlWithoutWorkflowCommands(text) : text;

/** Writes a document piece by piece to standard output, as fast as its reader takes it. */
export async function writePieces(cli: Pick<Cli, 'host' | 'out'>, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    cli.out.write(logText(cli, piece, 'json'));
    await cli.out.drained?.();
  }
}

/** A place to write such texts to. */
export const logOutput = (cli: Pick<Cli, 'host'>, out: Output, form: 'text' | 'json'): Output => ({
  write: (text) => out.write(typeof text === 'string' ? logText(cli, text, form) : text),
});
