import {
  type Asked,
  type Change,
  changesOf,
  commentsBy,
  editChange,
  type ForgeState,
  type Given,
  openChange,
  type Route,
  routed,
  TOKENS,
} from './forge-state.js';

const at = (path: string): RegExp => new RegExp(`^/api/v4/${path}$`);
const ME = { name: 'the project token', id: 7 };
const notes = commentsBy(ME.name, ({ id, author, body }) => ({
  id,
  author: { id: author === ME.name ? ME.id : 1 },
  body,
}));
const fieldsOf = ({ body }: Asked): Record<string, string> => Object.fromEntries(new URLSearchParams(body.toString()));
const bodyOf = (asked: Asked): string => fieldsOf(asked).body ?? '';
const requestOf = ({ number, head, merged, isClosed, text }: Change): object => ({
  ...{ iid: number, sha: head, description: text ?? null, source_project_id: 1 },
  web_url: `https://forge.example.com/merge_requests/${number}`,
  state: merged !== undefined ? 'merged' : isClosed === true ? 'closed' : 'opened',
  merged_at: merged === undefined ? null : `2026-01-01T00:00:0${number}Z`,
  ...{ merge_commit_sha: merged ?? null, author: { username: 'ann' }, target_branch: 'main' },
});

/** As the documentation of GitLab has them: the user of a token, notes, merge requests. */
const ROUTES: readonly Route[] = [
  { method: 'GET', path: at('user'), answer: () => ({ body: { id: ME.id } }) },
  {
    method: 'GET',
    path: at('projects/1/merge_requests/(\\d+)/notes'),
    answer: ([id = ''], asked, state) => notes.list(id, asked, state),
  },
  {
    method: 'POST',
    path: at('projects/1/merge_requests/(\\d+)/notes'),
    answer: ([id = ''], asked, state) => notes.add(id, bodyOf(asked), state),
  },
  {
    method: 'PUT',
    path: at('projects/1/merge_requests/\\d+/notes/(\\d+)'),
    answer: ([id = ''], asked, state) => notes.edit(id, bodyOf(asked), state),
  },
  {
    method: 'GET',
    path: at('projects/1/merge_requests'),
    answer: async (_, { url: { searchParams } }, state) => {
      const branch = searchParams.get('source_branch');
      const found = branch === null ? state.changes : await changesOf(branch, state);
      const wanted = searchParams.get('state');
      const isMeant = (one: object): boolean => wanted === null || (one as { state: string }).state === wanted;
      return { body: found.map(requestOf).filter(isMeant) };
    },
  },
  {
    method: 'POST',
    path: at('projects/1/merge_requests'),
    answer: async (_, asked, state) => {
      const { source_branch: branch = '', description = '' } = fieldsOf(asked);
      return { status: 201, body: requestOf(await openChange(branch, description, state)) };
    },
  },
  {
    method: 'PUT',
    path: at('projects/1/merge_requests/(\\d+)'),
    answer: ([number = ''], asked, state) => {
      const { description, state_event: event } = fieldsOf(asked);
      const edit = event === 'close' ? { isClosed: true } : { text: description ?? '' };
      return { body: requestOf(editChange(number, edit, state)) };
    },
  },
  {
    method: 'GET',
    path: at('projects/1/merge_requests/(\\d+)/approvals'),
    answer: ([number], _, { changes }) => {
      const approvedBy = changes.find((one) => one.number === Number(number))?.approvedBy ?? [];
      return { body: { approved_by: approvedBy.map((username) => ({ user: { username } })) } };
    },
  },
  {
    method: 'GET',
    path: at('projects/1/repository/commits/(\\w+)/merge_requests'),
    answer: ([commit], _, { changes }) => {
      const found = changes.filter(
        ({ head, merged }) => merged !== undefined && (head === commit || merged === commit),
      );
      return { body: found.map(requestOf) };
    },
  },
];

/** The package registry takes the token of a job. Of several files of one name it gives the newest. */
const PACKAGES: readonly Route[] = [
  {
    method: 'PUT',
    path: at('projects/1/packages/generic/(.*)'),
    answer: ([name = ''], { body }, { saved }) => {
      saved.push({ id: saved.length + 1, name, fork: false, files: new Map([['', body]]) });
      return { status: 201, body: { message: '201 Created' } };
    },
  },
  {
    method: 'GET',
    path: at('projects/1/packages/generic/(.*)'),
    answer: ([name], _, { saved }) => {
      const found = saved.findLast((one) => one.name === name)?.files.get('');
      return found === undefined ? { status: 404, body: { message: '404 Not found' } } : { body: found };
    },
  },
];

export async function answerGitlab(asked: Asked, state: ForgeState): Promise<Given> {
  if (asked.header('job-token') === TOKENS.job) return routed(PACKAGES, asked, state);
  if (asked.header('private-token') === TOKENS.push) return routed(ROUTES, asked, state);
  return { status: 401, body: { message: '401 Unauthorized' } };
}
