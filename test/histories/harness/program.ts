import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface CommandLine {
  readonly args: readonly string[];
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** What its identities begin with: the first four groups of a UUID. */
  readonly nonces: string;
  /** Milliseconds that its clock is ahead. */
  readonly ahead: number;
  /** Modules that change its machine, with their settings: it starts in a process of its own. */
  readonly machine?: Machine;
}

/** What a machine does to a program: modules that are loaded before it, and their variables. */
export interface Machine {
  readonly modules: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

export interface Ended {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A built program that runs one command line after the other. */
export interface Program {
  run(line: CommandLine): Promise<Ended>;
  /** Ends the command that runs as a kernel does that has no memory left. */
  kill(): void;
  /** Another one, which runs while this one does. */
  beside(): Program;
  close(): void;
}

const AHEAD = fileURLToPath(new URL('./ahead.cjs', import.meta.url));

/** The program as a shell starts it. */
function startCold(folder: string, { args, variables, ahead, machine, ...line }: CommandLine): ChildProcess {
  const { modules = [] } = machine ?? {};
  const preload = [AHEAD, ...modules].flatMap((module) => ['--require', module]);
  const env = { ...variables, ...machine?.variables, CLOCK_AHEAD: String(ahead), NODE_OPTIONS: preload.join(' ') };
  const program = join(folder, 'bundle/cli.js');
  return spawn(process.execPath, [program, ...args], { cwd: line.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const closed = new Promise<number | null>((done) => child.once('close', done));
  const [out, err] = await Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  return { code: await closed, out, err };
}

const WARM = fileURLToPath(new URL('./warm-program.mjs', import.meta.url));

/** The program of a folder in a process that has loaded it already; after a kill the next command gets a new one. */
function warmProgram(folder: string, program = WARM): Program {
  let child: ChildProcess | undefined;
  let second: Program | undefined;
  const start = (): Promise<ChildProcess> =>
    new Promise((done) => {
      const one = fork(program, [folder], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
      one.once('message', () => done(one));
    });
  let next: Promise<ChildProcess> | undefined = start();
  return {
    async run(line) {
      if (line.machine !== undefined) {
        child = startCold(folder, line);
        return endOf(child);
      }
      next ??= start();
      const own = await next;
      child = own;
      return new Promise((done) => {
        const ended = (code: number | null): void => {
          next = undefined;
          done({ code, out: '', err: code === null ? '' : `Unhandled: the process ended by itself with ${code}.` });
        };
        own.once('exit', ended);
        own.once('message', (message) => {
          own.off('exit', ended);
          child = undefined;
          done(message as Ended);
        });
        own.send(line);
      });
    },
    kill: () => void child?.kill('SIGKILL'),
    beside() {
      second ??= warmProgram(folder, program);
      return second;
    },
    close() {
      void next?.then((one) => one.kill('SIGKILL'));
      second?.close();
    },
  };
}

/** The program of a folder as an installation has it, and as a shell starts it: each command is a process of its own. */
function packedProgram(folder: string): Program {
  const root = mkdtempSync(join(tmpdir(), 'packed-'));
  const pack = execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root], {
    cwd: folder,
  });
  execFileSync('tar', ['-xzf', String(pack).trim()], { cwd: root });
  const installed = join(root, 'package');
  symlinkSync(join(folder, 'node_modules'), join(installed, 'node_modules'), 'junction');
  return coldProgram(installed, () => rmSync(root, { recursive: true, force: true }));
}

function coldProgram(folder: string, close: () => void = () => undefined): Program {
  let child: ChildProcess | undefined;
  return {
    run(line) {
      child = startCold(folder, line);
      return endOf(child);
    },
    kill: () => void child?.kill('SIGKILL'),
    beside: () => coldProgram(folder),
    close,
  };
}

/** A built program in both ways to run it. */
export interface Programs {
  readonly warm: Program;
  packed(): Program;
  close(): void;
}

/** `as`: what stands between the histories and the program. */
export function openPrograms(folder: string, as: (program: Program) => Program = (program) => program): Programs {
  const warm = as(warmProgram(folder));
  let packed: Program | undefined;
  return {
    warm,
    packed() {
      packed ??= as(packedProgram(folder));
      return packed;
    },
    close() {
      warm.close();
      packed?.close();
    },
  };
}

/** A program of another version: options, and values of options, that it does not know are left out. */
export function olderProgram(program: Program): Program {
  const unknown = new Set<string>();
  return {
    ...program,
    beside: () => olderProgram(program.beside()),
    async run(line) {
      for (;;) {
        const ended = await program.run({ ...line, args: withoutUnknown(line.args, unknown) });
        const lacks = lackOf(ended.err);
        if (ended.code !== 3 || lacks === undefined || unknown.has(lacks)) return ended;
        unknown.add(lacks);
      }
    },
  };
}

function lackOf(err: string): string | undefined {
  const [, option, named, value] =
    /Unknown option `(--[\w-]+)|Option `(--[\w-]+)[^`]*` argument "(.+?)" is/.exec(err) ?? [];
  return option ?? (named === undefined ? undefined : `${named} ${value}`);
}

/** Without options and pairs of option and value, and without the value of an option that is left out. */
function withoutUnknown(args: readonly string[], unknown: ReadonlySet<string>): string[] {
  return args.filter((arg, index) => {
    const [before = '', after = ''] = [args[index - 1], args[index + 1]];
    const isPair = (option: string, value: string): boolean => unknown.has(`${option} ${value}`);
    return !unknown.has(arg) && !isPair(arg, after) && !isPair(before, arg);
  });
}
