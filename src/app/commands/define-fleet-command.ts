import { type Command, createArgument } from 'commander';
import { DexsyncError } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type CommandDefinition, defineCommand } from './define-command.js';

export const fleetWord = () => createArgument('<fleet>', 'a fleet of the configuration');

/** Creates a command about a fleet, which refuses `--env`. */
export const defineFleetCommand = <Flags extends GlobalOptions, Args extends readonly unknown[]>(
  cli: Cli,
  { run, ...definition }: CommandDefinition<Flags, Args> & Required<Pick<CommandDefinition<Flags, Args>, 'run'>>,
): Command =>
  defineCommand<Flags, Args>(cli, {
    ...definition,
    run: async (context, ...args) => {
      if (context.flags.env !== undefined) throw forOneEnvironment('--env');
      return run(context, ...args);
    },
  });

/** USAGE */
export const forOneEnvironment = (option: string): DexsyncError =>
  new DexsyncError('USAGE', `\`${option}\` is for one environment, and a fleet has several.`, {
    hint: 'Remove it, or use a command for one environment, such as `dexsync plan ENVIRONMENT`.',
  });
