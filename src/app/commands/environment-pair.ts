import type { Command } from 'commander';
import { DexsyncError } from '../library/library.js';
import type { GlobalOptions } from './cli-context.js';
import type { CommandRun } from './define-command.js';
import { singleValue } from './option-values.js';
import { fullName } from './usage-error.js';

/** Flags of a command about two environments, each of which may be missing. `env`: the one that reports are about. */
export interface PairFlags extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
  /** The arguments after the environments. */
  readonly words: readonly string[];
}

/** Adds two environments, as arguments and as options; `ofTo` describes the second. */
export const addPairOptions =
  (ofTo: string) =>
  (command: Command): Command =>
    command
      .argument('[from]', `${OF_FROM}; the same as --from`)
      .argument('[to]', `${ofTo}; the same as --to`)
      .option('--from <environment>', OF_FROM, singleValue)
      .option('--to <environment>', ofTo, singleValue);

const OF_FROM = 'environment whose objects are taken as they are';

/** Reads the options, and the environments from the arguments unless an option names one. */
export function pairFlags<T extends PairFlags>(command: Command): T {
  const flags = command.optsWithGlobals<T>();
  const [first, second, ...others] = command.args;
  const isNamed = flags.from !== undefined || flags.to !== undefined || first === undefined;
  const [from, to, words] = isNamed ? [flags.from, flags.to, command.args] : [first, second, others];
  return { ...flags, from, to, words, env: flags.env ?? to };
}

/** Both environments. Throws USAGE if one is missing, or if `--env` or a word has no meaning beside them. */
export function readEnvironmentPair(
  { flags: { from, to }, command }: Pick<CommandRun<PairFlags>, 'flags' | 'command'>,
  [unasked]: readonly string[] = [],
): { readonly from: string; readonly to: string } {
  if (command.optsWithGlobals<GlobalOptions>().env !== undefined) {
    throw new DexsyncError('USAGE', '`--env` has no meaning for a command about two environments.', {
      hint: 'Remove `--env`: the command names both.',
    });
  }
  const name = fullName(command);
  if (unasked !== undefined) {
    throw new DexsyncError('USAGE', `"${unasked}" has no meaning for \`${name}\` beside \`--from\` and \`--to\`.`, {
      hint: 'Remove it; `--only PATTERN` selects objects.',
    });
  }
  if (from !== undefined && to !== undefined) return { from, to };
  throw new DexsyncError('USAGE', `\`${name}\` needs two environments.`, {
    hint: `Write \`${name} dev prod\`, or \`${name} --from dev --to prod\`; \`dexsync env list\` shows the environments.`,
  });
}
