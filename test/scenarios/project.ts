import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const CLI = resolve('dist/cli.js');
const WORKSPACE = resolve('dist/workspace/main.js');

export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A project in a folder of its own, and the built program to run in it as a user would. */
export interface TestProject {
  readonly folder: string;
  write(file: string, content: string | Uint8Array): Promise<void>;
  read(file: string, encoding?: BufferEncoding): Promise<string>;
  run(args: readonly string[], variables?: Record<string, string>): Promise<Result>;
  /** `pipe`: its standard input is written by the test. */
  start(args: readonly string[], variables?: Record<string, string>, input?: 'ignore' | 'pipe'): ChildProcess;
}

const CONFIG = `stack: test
manifests: [manifests]
defaultEnvironment: local
environments:
  local: { workspace: embedded }
  remote: { url: "\${env.TEST_URL}" }
`;

export async function testProject(files: Readonly<Record<string, string>> = {}): Promise<TestProject> {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-test-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const write: TestProject['write'] = async (file, content) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  await mkdir(join(folder, 'manifests'));
  for (const [file, content] of Object.entries({ 'sync.config.yaml': CONFIG, ...files })) await write(file, content);
  const start: TestProject['start'] = (args, variables = {}, input = 'ignore') => {
    const { PATH, HOME } = process.env;
    return spawn(process.execPath, [CLI, ...args], {
      cwd: folder,
      env: { PATH, HOME, ...variables },
      stdio: [input, 'pipe', 'pipe'],
    });
  };
  return {
    folder,
    write,
    read: (file, encoding = 'utf8') => readFile(join(folder, file), encoding),
    start,
    run: (args, variables) => finished(start(args, variables)),
  };
}

export function finished(child: ChildProcess): Promise<Result> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((done) => child.once('close', (code) => done({ code, out, err })));
}

/** An embedded workspace as a server of its own, and a second pair of eyes on it: plain fetch, not our client. */
export interface TestWorkspace {
  readonly url: string;
  /** Variables that point the environment `remote` of a test project at it. */
  readonly variables: Record<string, string>;
  readonly process: ChildProcess;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** The same as the administrator, whose other session ends by it. */
  administer(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** Requests in the usage log, without those of `call`. */
  usage(): Promise<{ method: string; path: string; status: number }[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the service as they come; each test says what it expects.
type Json = any;

/** How each dialect carries a session (wire-facts, section 0). */
const WIRE: Readonly<Record<string, { token: string; session: string; usage: string }>> = {
  reference: { token: 'sessionId', session: 'Service-Session-Id', usage: 'Service-Usage-Reason' },
  arena: { token: 'arena_session_id', session: 'arena_session_id', usage: 'Arena-Usage-Reason' },
};

export async function testWorkspace(
  args: readonly string[] = [],
  dialect: string = 'reference',
): Promise<TestWorkspace> {
  const wire = WIRE[dialect] as (typeof WIRE)[string];
  const child = spawn(process.execPath, [WORKSPACE, '--port', '0', '--dialect', dialect, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill());
  const line = await new Promise<string>((found) =>
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', found),
  );
  const { url, email, password, workspaceId } = JSON.parse(line) as Record<string, string>;
  const reason = 'eyes/1';
  const login = async (user: string): Promise<string> => {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [wire.usage]: reason },
      body: JSON.stringify({ email: user, password }),
    });
    return ((await answer.json()) as Record<string, string>)[wire.token] ?? '';
  };
  const send = async (session: string, method: string, path: string, body?: unknown) => {
    const headers = { [wire.session]: session, [wire.usage]: reason, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : parsed(text) };
  };
  // Not the user that dexsync is, so that neither ends the session of the other.
  let session: string | undefined;
  const call: TestWorkspace['call'] = async (method, path, body) => {
    session ??= await login('cleo@example.com');
    return send(session, method, path, body);
  };
  return {
    url: url as string,
    variables: {
      DEXSYNC_ENV: 'remote',
      TEST_URL: url as string,
      DEXSYNC_REMOTE_PROFILE: dialect,
      DEXSYNC_REMOTE_EMAIL: email as string,
      DEXSYNC_REMOTE_PASSWORD: password as string,
      DEXSYNC_REMOTE_WORKSPACE_ID: String(workspaceId),
    },
    process: child,
    call,
    administer: async (method, path, body) => send(await login(email as string), method, path, body),
    async usage() {
      const entries: Json[] = [];
      for (;;) {
        const { body } = await call('GET', `/settings/recentactivities/apiusages?offset=${entries.length}&limit=400`);
        entries.push(...body.results);
        if (body.results.length < 400) break;
      }
      return entries.filter((entry) => entry.usageReason !== reason);
    },
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
