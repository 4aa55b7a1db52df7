import { Argument, type Command } from 'commander';

/** The environment as a word, for every command about one environment whose words mean nothing else. */
export const environmentWord = (): Argument => new Argument('[environment]', 'environment; the same as --env');

/** Takes the word for `--env` before the command runs. Two different environments are a mistake. */
export function takeEnvironmentWord(command: Command): void {
  const at = command.registeredArguments.findIndex((argument) => argument.name() === 'environment');
  const word: unknown = at < 0 ? undefined : command.processedArgs[at];
  if (typeof word === 'string') chooseEnvironment(command, word);
}

export function chooseEnvironment(command: Command, word: string): void {
  const { env } = command.optsWithGlobals<{ readonly env?: string }>();
  if (env !== undefined && env !== word) {
    command.error(`error: "${word}" and \`--env ${env}\` are two environments; give one of them.`);
  }
  command.setOptionValue('env', word);
}
