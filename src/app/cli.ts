import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { chooseColor } from './commands/choose-color.js';
import type { BareCli } from './commands/cli-context.js';
import { execute } from './commands/program.js';
import { type Output, reasonOf } from './library/internal.js';
import { EXIT, type ExitCode } from './library/library.js';
import { ownVersion } from './library/own-version.js';

const { argv, env, stdin, stdout, stderr } = process;

const controller = new AbortController();
// Every request in progress adds a listener.
setMaxListeners(0, controller.signal);

/** Shows the message in place of `errors`; set by the display that redraws lines of the terminal. */
let showInterrupt: ((message: string) => void) | undefined;

const SHOW_CURSOR = '\u001B[?25h';

/** Bypasses the streams, since the progress lines hold back text written to them. */
function endAtOnce(): never {
  try {
    const restored = stdout.isTTY ? SHOW_CURSOR : '';
    writeSync(stderr.fd, `${restored}\nStopped. The next command finds out what the last requests did.\n`);
  } catch {
    // Nobody reads standard error.
  }
  process.exit(EXIT.interrupted);
}

/** Lets requests in flight finish after the first Ctrl-C, and ends the process at the second. */
function interruption(): AbortSignal {
  const interrupt = (): void => {
    if (controller.signal.aborted) endAtOnce();
    const message = 'Stopping when the current requests are done.\nPress Ctrl-C again to stop immediately.';
    if (showInterrupt === undefined) errors.write(`\n${message.replace('\n', ' ')}\n`);
    else showInterrupt(message);
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

/** A reader that went away (`| head`) must not stop the work in progress: the journal records what was done. */
function survive(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  if (!unwritten)
    stderr.write(`Error: The output could not be written: ${reasonOf(error)}.\n[DISK, exit ${EXIT.failed}]\n`);
  unwritten = true;
}

let unwritten = false;

/** Milliseconds for which lines wait for others when standard output is not a terminal. */
const TOGETHER_WITHIN = 20;

/** Writes all collected lines at once, since each write to a pipe blocks. */
function flush(): void {
  if (stdout.writableCorked > 0) stdout.uncork();
}

/** Flushes standard output first, so that errors and questions follow the text printed before them. */
const errors: Output = {
  write(text) {
    flush();
    stderr.write(text);
  },
};

/** Opens standard output as a stream. Without a reader it never drains, and later text is discarded. */
function openOutput(): Output {
  let closed = false;
  stdout.once('error', () => {
    closed = true;
  });
  return {
    write(text) {
      if (stdout.writableCorked === 0) {
        stdout.cork();
        if (stdout.isTTY) setImmediate(flush);
        else setTimeout(flush, TOGETHER_WITHIN).unref();
      }
      stdout.write(text);
      if (stdout.writableNeedDrain) flush();
    },
    drained: () =>
      new Promise((done) => {
        flush();
        if (closed || !stdout.writableNeedDrain) return done();
        const end = (): void => {
          stdout.off('drain', end).off('error', end);
          done();
        };
        stdout.once('drain', end).once('error', end);
      }),
  };
}

/** Returns the answer. Ctrl-C and Ctrl-D mean no; Ctrl-C also interrupts, since the terminal sends no signal. */
async function ask(question: string): Promise<string> {
  flush();
  const terminal = createInterface({ input: stdin, output: stderr });
  const closed = new Promise<string>((done) => terminal.once('close', () => done('')));
  terminal.once('SIGINT', () => {
    controller.abort();
    stderr.write('\n');
    terminal.close();
  });
  try {
    return (await Promise.race([terminal.question(question), closed])).trim();
  } finally {
    terminal.close();
  }
}

const choose: BareCli['choose'] = async (message, choices, initial) => {
  flush();
  const { isCancel, select } = await import('@clack/prompts');
  const chosen = await select({
    ...{ message, options: [...choices], input: stdin, output: stderr, signal: controller.signal, withGuide: false },
    ...(initial === undefined ? {} : { initialValue: initial }),
  });
  if (!isCancel(chosen)) return chosen;
  controller.abort();
  return undefined;
};

function openCli(): BareCli {
  return {
    out: openOutput(),
    err: errors,
    color: chooseColor(argv, env, stdout.isTTY),
    input: stdin.isTTY ? 'terminal' : 'none',
    progress: stdout.isTTY && env.TERM !== 'dumb' && (env.CI ?? '') === '' ? 'live' : 'lines',
    ...(stdout.isTTY ? { width: stdout.columns } : {}),
    host: {
      cwd: process.cwd(),
      variables: env,
      version: ownVersion(),
      arguments: argv.slice(2),
      clock: () => new Date(),
      nonce: randomUUID,
      signal: interruption(),
      input: () => stdin,
    },
    onInterrupt(show) {
      showInterrupt = show;
      return () => {
        showInterrupt = undefined;
      };
    },
    ask,
    choose,
    exit: (code: ExitCode) => {
      process.exitCode = code;
    },
  };
}

stdout.on('error', survive);
stderr.on('error', survive);
process.on('exit', () => {
  flush();
  if (unwritten && process.exitCode === EXIT.done) process.exitCode = EXIT.failed;
});
// A project's own kinds may log; standard output is for data.
globalThis.console = new Console(stderr);
await execute(openCli(), argv.slice(2));
flush();
