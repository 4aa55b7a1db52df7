import { ArgumentError, type Arguments, HELP, readArguments } from './arguments.js';
import { serve } from './serve.js';
import { InUseError, OpenError } from './store/open.js';

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** The exit code for a workspace that is in use: the parent process may try again later. */
const IN_USE = 7;

main().catch((error: unknown) => {
  const told = error instanceof ArgumentError || error instanceof OpenError;
  log(told ? error.message : String((error as Error).stack ?? error));
  if (error instanceof ArgumentError) log('Try --help.');
  process.exit(error instanceof InUseError ? IN_USE : 1);
});

async function main(): Promise<void> {
  const args = readArguments(process.argv.slice(2));
  if (!args) return void process.stdout.write(HELP);
  // Keeps other users of the machine from reading the workspace files.
  process.umask(0o077);
  const { ready, close } = await serve(args, log);
  endWith(args, close);
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/** Ends the process cleanly, once, on a signal or when its parent is gone. */
function endWith({ exitWithStdin }: Arguments, close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log(String((error as Error).stack ?? error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end).on('SIGINT', end);
  if (process.send) process.on('disconnect', end);
  if (exitWithStdin) process.stdin.on('end', end).on('close', end).resume();
}
