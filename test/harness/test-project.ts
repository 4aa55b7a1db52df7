import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { atEnd } from './at-end.js';
import { type Begun, beginInProcess, type Result } from './run-in-process.js';
import { record } from './transcript.js';

/** The built program. */
export const CLI = resolve('bundle/cli.js');

export type Variables = Readonly<Record<string, string>>;

/** A project in a folder of its own, and the program to run in it as a user would. */
export interface TestProject {
  readonly folder: string;
  write(file: string, content: string | Uint8Array): Promise<void>;
  read(file: string, encoding?: BufferEncoding): Promise<string>;
  /** Runs a command line in this process. */
  run(args: readonly string[], variables?: Variables, input?: string): Promise<Result>;
  /** Begins a command line in this process. */
  begin(args: readonly string[], variables?: Variables, input?: string): Begun;
  /** Starts the built program. `pipe`: its standard input is written by the test. */
  start(args: readonly string[], variables?: Variables, input?: 'ignore' | 'pipe'): ChildProcess;
}

const CONFIG = `stack: test
manifests: [manifests]
defaultEnvironment: local
environments:
  local: { workspace: embedded }
  remote: { url: "\${env.TEST_URL}" }
`;

export async function testProject(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const write: TestProject['write'] = async (file, content) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  await mkdir(join(folder, 'manifests'));
  for (const [file, content] of Object.entries({ 'sync.config.yaml': CONFIG, ...files })) await write(file, content);
  const begin: TestProject['begin'] = (args, variables, input = '') => {
    const entry = record(`$ dexsync ${args.join(' ')}`);
    const begun = beginInProcess({ args, folder, variables: environment(variables), input });
    void begun.result.then(({ code, out, err }) => entry.add(`${out}${err}exit ${code}`));
    return begun;
  };
  return {
    folder,
    write,
    read: (file, encoding = 'utf8') => readFile(join(folder, file), encoding),
    start: (args, variables, input = 'ignore') =>
      spawn(process.execPath, [CLI, ...args], {
        cwd: folder,
        env: environment(variables),
        stdio: [input, 'pipe', 'pipe'],
      }),
    begin,
    run: (args, variables, input) => begin(args, variables, input).result,
  };
}

/**
 * What a program of a test sees of the environment. What clones on one machine have in common is each test's own: the port of
 * a service comes again, and with it the leases that a killed program left.
 */
export function environment(variables: Variables = {}): Record<string, string | undefined> {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, XDG_STATE_HOME: join(tmpdir(), 'state', nameOfTest()), ...variables };
}

function nameOfTest(): string {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return createHash('sha256').update(`${testPath} ${currentTestName}`).digest('hex').slice(0, 16);
}

/** What a process wrote, once it has ended. */
export function finished(child: ChildProcess): Promise<Result> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const entry = record(`$ ${child.spawnargs.slice(1).join(' ')}`);
  return new Promise((done) =>
    child.once('close', (code) => {
      entry.add(`${out}${err}exit ${code}`);
      done({ code, out, err });
    }),
  );
}
