import type { Command } from 'commander';
import { DexsyncError } from '../index.js';
import type { GlobalOptions } from './cli-context.js';
import { oneOnly } from './option-values.js';

/** What `addPairOptions` adds. */
export interface PairFlags extends GlobalOptions {
  readonly from: string;
  readonly to: string;
}

/** Options of every command that is about two environments; `ofTo` describes `--to`. */
export const addPairOptions = (command: Command, ofTo: string): Command =>
  command
    .requiredOption('--from <environment>', 'environment whose objects are taken as they are', oneOnly)
    .requiredOption('--to <environment>', ofTo, oneOnly);

/** Its options with the environment that reports are about. */
export const reportedOn = <T extends PairFlags>(options: T): T => ({ ...options, env: options.env ?? options.to });

/** Both environments. Throws USAGE for `--env`, which would name a third one. */
export function pairOf({ env, from, to }: PairFlags): Pick<PairFlags, 'from' | 'to'> {
  if (env === undefined) return { from, to };
  throw new DexsyncError('USAGE', '`--env` has no meaning for a command about two environments.', {
    hint: 'Remove `--env`: `--from` and `--to` name them.',
  });
}
