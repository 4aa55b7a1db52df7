import { request } from 'node:http';
import { testWorkspace } from '../../harness/test-workspace.js';

export const GROUPS = '/settings/usergroups';
export const DIALECTS = ['reference', 'arena'] as const;

/** A workspace with three groups, whose answers a test looks at byte by byte. */
export async function faultyWorkspace(dialect: string = 'reference', args: readonly string[] = []) {
  const workspace = await testWorkspace(args, dialect);
  const create = async (name: string): Promise<string> =>
    (await workspace.call('POST', GROUPS, { name, description: name })).body.guid;
  const guids = [await create('A'), await create('B'), await create('C')] as const;
  const names = async (): Promise<string[]> =>
    (await workspace.call('GET', GROUPS)).body.results.map(({ name }: { name: string }) => name);
  return { ...workspace, guids, names };
}

export interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request whose answer may be cut: what came of it until then is in the error's message. */
export const raw = (url: string, method = 'GET', headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((done, failed) => {
    const sent = request(url, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        text += chunk;
      });
      answer.on('error', ({ message }) => failed(new Error(`${message} after ${text.length} bytes`)));
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', failed);
    sent.end();
  });
