import type { Command } from 'commander';
import { DexsyncError } from '../library/library.js';
import type { GlobalOptions } from './cli-context.js';
import { oneOnly } from './option-values.js';
import { fullName } from './usage-error.js';

/** What `addPairOptions` adds. */
export interface PairFlags extends GlobalOptions {
  readonly from?: string;
  readonly to?: string;
}

/** Two environments as words or as options, for every command that is about two; `ofTo` describes the second. */
export const addPairOptions = (command: Command, ofTo: string): Command =>
  command
    .argument('[from]', `${OF_FROM}; the same as --from`)
    .argument('[to]', `${ofTo}; the same as --to`)
    .option('--from <environment>', OF_FROM, oneOnly)
    .option('--to <environment>', ofTo, oneOnly);

const OF_FROM = 'environment whose objects are taken as they are';

/** Options whose environments are known as far as they were given. */
export type Paired<T> = T & {
  /** What follows the environments. */
  readonly words: readonly string[];
  /** The options with the environment that reports are about. */
  readonly reported: T;
};

/** The options of a command with the environments among its words, and with the one that reports are about. */
export function pairOptions<T extends PairFlags>(command: Command): Paired<T> {
  const options = command.optsWithGlobals<T>();
  const [first, second, ...others] = command.args;
  const isNamed = options.from !== undefined || options.to !== undefined || first === undefined;
  const words = isNamed ? command.args : others;
  const to = isNamed ? options.to : second;
  return {
    ...options,
    ...(isNamed ? {} : { from: first, to }),
    words,
    reported: { ...options, env: options.env ?? to },
  };
}

/** Both environments. Throws USAGE where one is missing, and for what would name a third one or means nothing. */
export function pairOf(
  { env, from, to }: PairFlags,
  command: Command,
  [unasked]: readonly string[] = [],
): { readonly from: string; readonly to: string } {
  if (env !== undefined) {
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
