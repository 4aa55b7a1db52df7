import { Argument, type Command } from 'commander';

/** The environment as an argument, for commands about one environment that have no other meaning for it. */
export const environmentWord = (): Argument => new Argument('[environment]', 'environment; the same as --env');

/** Uses the argument as `--env` before the command runs. */
export function takeEnvironmentWord(command: Command): void {
  const at = command.registeredArguments.findIndex((argument) => argument.name() === 'environment');
  const word: unknown = at < 0 ? undefined : command.processedArgs[at];
  if (typeof word === 'string') chooseEnvironment(command, word);
}

/** Sets `--env`. Refuses a different environment in `--env`. */
export function chooseEnvironment(command: Command, word: string): void {
  const { env } = command.optsWithGlobals<{ readonly env?: string }>();
  if (env !== undefined && env !== word) {
    command.error(`error: "${word}" and \`--env ${env}\` are two environments; give one of them.`);
  }
  command.setOptionValue('env', word);
}
