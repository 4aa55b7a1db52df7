import {
  jsonWithoutWorkflowCommands,
  type Output,
  withoutWorkflowCommands,
  yamlWithoutWorkflowCommands,
} from '../library/internal.js';
import type { Cli } from './cli-context.js';

const isPipelineLog = ({ host }: Pick<Cli, 'host'>): boolean => host.variables.GITHUB_ACTIONS === 'true';

/**
 * Makes text safe for the log of a pipeline: the runner of GitHub Actions reads both streams, and must not take names
 * and reasons for commands. Not for downloaded files and reports of `--output`, which must stay unchanged.
 */
export const logText = (cli: Pick<Cli, 'host'>, text: string, form: 'text' | 'json' = 'text'): string => {
  if (!isPipelineLog(cli)) return text;
  return form === 'json' ? jsonWithoutWorkflowCommands(text) : withoutWorkflowCommands(text);
};

/** Makes YAML safe for such a log, and keeps its meaning. */
export const logYaml = async (cli: Pick<Cli, 'host'>, text: string): Promise<string> =>
  isPipelineLog(cli) ? yamlWithoutWorkflowCommands(text) : text;

/** Writes a document piece by piece to standard output, no faster than its reader takes it. */
export async function writePieces(cli: Pick<Cli, 'host' | 'out'>, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    cli.out.write(logText(cli, piece, 'json'));
    await cli.out.drained?.();
  }
}

/** Wraps an output so that all its text is safe for such a log. */
export const logOutput = (cli: Pick<Cli, 'host'>, out: Output, form: 'text' | 'json'): Output => ({
  write: (text) => out.write(typeof text === 'string' ? logText(cli, text, form) : text),
});
