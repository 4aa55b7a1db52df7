import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../at-end.js';
import { git } from '../git.js';
import { type Asked, type Change, type ForgeState, PROJECT, TOKENS } from './forge-state.js';
import { answerGithub } from './github-api.js';
import { answerGitlab } from './gitlab-api.js';

export type { Change } from './forge-state.js';

/** How a change gets into the main branch. */
export type Merging = 'merge' | 'squash' | 'fast-forward';

/** A project on a forge that pipelines reach over HTTP: the repository, and the parts of both APIs that they use. */
export interface HostedProject extends ForgeState {
  readonly url: string;
  /** Where a person works on it. */
  readonly desk: string;
  /** The URL to clone it from with a token. */
  clonedBy(token: string): string;
  /** Commits what lies on the desk to the main branch. */
  start(): Promise<string>;
  /** Opens a change with what `edit` does, or adds a commit to the one of this branch. */
  propose(branch: string, edit: (desk: string) => Promise<void>, from?: 'branch' | 'fork'): Promise<Change>;
  merge(change: Change, how: Merging): Promise<string>;
  /** The newest commit of the main branch. */
  tip(): Promise<string>;
}

export async function hostProject(): Promise<HostedProject> {
  const root = await mkdtemp(join(tmpdir(), 'forge-'));
  atEnd(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const [bare, desk] = [join(root, `${PROJECT}.git`), join(root, 'desk')];
  await git(tmpdir(), 'init', '--quiet', '--bare', '-b', 'main', bare);
  await git(tmpdir(), 'init', '--quiet', '-b', 'main', desk);
  await git(desk, 'remote', 'add', 'origin', bare);
  const state: ForgeState = { repository: bare, changes: [], comments: [], saved: [], started: [] };
  const url = await listen(root, state);
  return {
    ...state,
    ...work(desk, state),
    url,
    desk,
    clonedBy: (token) => `${url.replace('//', `//ci:${token}@`)}/${PROJECT}.git`,
  };
}

function work(desk: string, { changes }: ForgeState): Pick<HostedProject, 'start' | 'propose' | 'merge' | 'tip'> {
  const commit = async (message: string): Promise<string> => {
    await git(desk, 'add', '--all');
    await git(desk, 'commit', '--quiet', '-m', message);
    return (await git(desk, 'rev-parse', 'HEAD')).trim();
  };
  const branches = new Map<string, Change>();
  return {
    tip: async () => (await git(desk, 'rev-parse', 'main')).trim(),
    async start() {
      const made = await commit('The project');
      await git(desk, 'push', '--quiet', 'origin', 'main');
      return made;
    },
    async propose(branch, edit, from = 'branch') {
      const known = branches.get(branch);
      await git(desk, 'checkout', '--quiet', ...(known === undefined ? ['-b', branch, 'main'] : [branch]));
      await edit(desk);
      const head = await commit(`A change of ${branch}`);
      const change = known ?? { number: changes.length + 1, branch, fork: from === 'fork', head };
      change.head = head;
      if (known === undefined) changes.push(change);
      branches.set(branch, change);
      const preview = await git(desk, 'merge-tree', '--write-tree', 'main', head);
      const merged = await git(desk, 'commit-tree', preview.trim(), '-p', 'main', '-p', head, '-m', 'Preview');
      const refs = [`pull/${change.number}/head`, `merge-requests/${change.number}/head`].map(
        (ref) => `${head}:refs/${ref}`,
      );
      if (from === 'branch') refs.push(`${head}:refs/heads/${branch}`);
      await git(
        desk,
        'push',
        '--quiet',
        '--force',
        'origin',
        ...refs,
        `${merged.trim()}:refs/pull/${change.number}/merge`,
      );
      await git(desk, 'checkout', '--quiet', 'main');
      return change;
    },
    async merge(change, how) {
      await git(desk, 'fetch', '--quiet', 'origin');
      if (how === 'fast-forward') await git(desk, 'merge', '--quiet', '--ff-only', change.head);
      if (how === 'merge') await git(desk, 'merge', '--quiet', '--no-ff', '-m', `Merge ${change.number}`, change.head);
      if (how === 'squash') {
        await git(desk, 'merge', '--quiet', '--squash', change.head);
        await commit(`Change ${change.number}, squashed`);
      }
      change.merged = (await git(desk, 'rev-parse', 'HEAD')).trim();
      await git(desk, 'push', '--quiet', 'origin', 'main');
      return change.merged;
    },
  };
}

async function listen(root: string, state: ForgeState): Promise<string> {
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '', 'http://forge');
    if (pathname.startsWith(`/${PROJECT}.git/`)) return serveGit(root, request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Asked = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://forge'),
      header: (name) => String(request.headers[name] ?? ''),
      body: Buffer.concat(chunks),
    };
    const given = await (pathname.startsWith('/api/v4/') ? answerGitlab : answerGithub)(asked, state);
    const content = Buffer.isBuffer(given.body) ? given.body : JSON.stringify(given.body);
    response.writeHead(given.status ?? 200).end(content);
  };
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** git's own server, behind the tokens: reading takes any, pushing the one that may. */
function serveGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '', 'http://forge');
  const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  const [, token = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  const pushes = `${pathname}${search}`.includes('git-receive-pack');
  if (!(pushes ? token === TOKENS.push : Object.values<string>(TOKENS).includes(token))) {
    request.resume();
    response.writeHead(token === '' ? 401 : 403, { 'www-authenticate': 'Basic realm="forge"' }).end();
    return;
  }
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: 'ci', PATH_INFO: pathname },
      ...{ REQUEST_METHOD: request.method, QUERY_STRING: search.slice(1) },
      ...{ CONTENT_TYPE: request.headers['content-type'], HTTP_CONTENT_ENCODING: request.headers['content-encoding'] },
      GIT_PROTOCOL: request.headers['git-protocol'] as string | undefined,
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.on('close', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    const headers = all
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response
      .writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')))
      .end(all.subarray(end + 4));
  });
}
