import { type Argument, type Command, createArgument } from 'commander';
import type { Cli } from './cli-context.js';
import { candidatesFor } from './completion/candidates.js';
import { cursorContext } from './completion/expected.js';
import { SCRIPTS } from './completion/scripts.js';
import { SHELLS, type Shell, shellLines, splitWords } from './completion/shell-line.js';
import { defineCommand } from './define-command.js';
import { logText } from './pipeline-log.js';

const shellArgument = (): Argument => createArgument('<shell>', 'your shell').choices(SHELLS);

/** `dexsync completion`: the script that makes a shell ask `dexsync complete`. */
export const completionCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'completion',
    summary: 'print the completion script of a shell',
    description:
      'Prints a script for bash, zsh or fish, which then complete commands, options, kinds, environments, addresses of ' +
      'manifests, saved plans and files. Completing reads the project only, and contacts no workspace.',
    arguments: [shellArgument()],
    examples: [
      "echo 'source <(dexsync completion bash)' >> ~/.bashrc",
      "echo 'source <(dexsync completion zsh)' >> ~/.zshrc  # after compinit",
      'dexsync completion fish > ~/.config/fish/completions/dexsync.fish',
    ],
  }).action((shell: Shell) => void cli.out.write(SCRIPTS[shell]));

/** `dexsync complete`, for the scripts. Nothing but candidates is printed into the line that somebody types. */
export const completeCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'complete',
    summary: 'print what a command line may become',
    description: 'Prints what the last word of a command line may become, one candidate per line, for a shell.',
    arguments: [
      shellArgument(),
      createArgument('<line>', 'command line up to the cursor'),
      createArgument('[replaced]', 'what bash replaces of its end').default(''),
    ],
    examples: ["dexsync complete fish 'dexsync get '"],
  }).action(async (shell: Shell, line: string, replaced: string, _: unknown, command: Command) => {
    const host = { ...cli.host, emit: () => undefined };
    const words = splitWords(line);
    const word = words.at(-1);
    const root = command.parent;
    if (word === undefined || root === null) return;
    try {
      const before = words.slice(1, -1).map(({ text }) => text);
      const found = await candidatesFor(cursorContext(root, before, word.text), word, host);
      cli.out.write(logText(cli, shellLines(shell, found, word, replaced)));
    } catch {
      // The shell shows nothing, as if there were no candidates.
    }
  });
