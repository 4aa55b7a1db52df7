import { git } from '../git.js';

/** A change as a forge knows it: a pull request or a merge request. */
export interface Change {
  readonly number: number;
  readonly branch: string;
  readonly fork: boolean;
  head: string;
  isClosed?: boolean;
  /** Absent where a person opened it. */
  text?: string;
  /** The commit of the main branch that it became. */
  merged?: string;
  /** Logins of people who approved its last commit. */
  approvedBy?: readonly string[];
}

export interface Comment {
  readonly id: number;
  readonly change: number;
  readonly author: string;
  body: string;
}

/** What a run saved; `fork`: of a run that a fork's change started. */
export interface Saved {
  readonly id: number;
  readonly name: string;
  readonly fork: boolean;
  readonly files: ReadonlyMap<string, Buffer>;
}

/** All that a forge keeps of one project. */
export interface ForgeState {
  /** The folder of the repository. */
  readonly repository: string;
  /** Numbers of the changes whose plan a job started. */
  readonly started: number[];
  readonly changes: Change[];
  readonly comments: Comment[];
  readonly saved: Saved[];
}

/** Who may do what: `job` reads; `push` also writes, and asks the API. */
export const TOKENS = { job: 'token-of-the-job', push: 'token-that-pushes' } as const;
export const PROJECT = 'group/project';
export const BOT = 'github-actions[bot]';

/** A request to an API. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  header(name: string): string;
  readonly body: Buffer;
}

export interface Given {
  readonly status?: number;
  readonly body: unknown;
}

/** What answers one method of one path; `parts` are those of the path that the pattern names. */
export interface Route {
  readonly method: string;
  readonly path: RegExp;
  answer(parts: readonly string[], asked: Asked, state: ForgeState): Given | Promise<Given>;
}

/** The answer of the first route that fits. */
export async function routed(routes: readonly Route[], asked: Asked, state: ForgeState): Promise<Given> {
  for (const { method, path, answer } of routes) {
    const parts = path.exec(asked.url.pathname);
    if (method === asked.method && parts !== null) return answer(parts.slice(1), asked, state);
  }
  return { status: 404, body: { message: `404 ${asked.method} ${asked.url.pathname}` } };
}

/** What a list shows of itself on one page. */
function page<T>(all: readonly T[], { url: { searchParams } }: Asked): readonly T[] {
  const [size, number] = [Number(searchParams.get('per_page') ?? 30), Number(searchParams.get('page') ?? 1)];
  return all.slice((number - 1) * size, number * size);
}

const refs = ({ number }: Change): string[] => [`pull/${number}/head`, `merge-requests/${number}/head`];

/** The changes of a branch, the newest first. While one is open, its head is the tip of the branch. */
export async function changesOf(branch: string, { repository, changes }: ForgeState): Promise<readonly Change[]> {
  const own = changes.filter((one) => one.branch === branch).reverse();
  for (const change of own.filter(({ isClosed, merged }) => isClosed !== true && merged === undefined)) {
    const tip = await git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}`).catch(() => '');
    change.head = tip.trim() || change.head;
    for (const ref of refs(change)) await git(repository, 'update-ref', `refs/${ref}`, change.head);
  }
  return own;
}

/** Opens a change of a branch that a job pushed. */
export async function openChange(branch: string, text: string, state: ForgeState): Promise<Change> {
  const change: Change = { number: state.changes.length + 1, branch, fork: false, head: '', text };
  state.changes.push(change);
  await changesOf(branch, state);
  return change;
}

export function editChange(number: string, edit: Pick<Change, 'text' | 'isClosed'>, { changes }: ForgeState): Change {
  return Object.assign(changes.find((one) => one.number === Number(number)) as Change, edit);
}

/** Comments of a change by one author, who alone may change them. */
export const commentsBy = (author: string, shown: (comment: Comment) => object) => ({
  list: (change: string, asked: Asked, { comments }: ForgeState): Given => ({
    body: page(
      comments.filter((one) => one.change === Number(change)),
      asked,
    ).map(shown),
  }),
  add(change: string, body: string, { comments }: ForgeState): Given {
    const made = { id: comments.length + 1, change: Number(change), author, body };
    comments.push(made);
    return { status: 201, body: shown(made) };
  },
  edit(id: string, body: string, { comments }: ForgeState): Given {
    const found = comments.find((one) => one.id === Number(id));
    if (found?.author !== author) return { status: 403, body: { message: '403 Forbidden' } };
    found.body = body;
    return { body: shown(found) };
  },
});
