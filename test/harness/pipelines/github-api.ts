import { ZipFile } from 'yazl';
import {
  type Asked,
  BOT,
  type Change,
  changesOf,
  commentsBy,
  editChange,
  type ForgeState,
  type Given,
  openChange,
  PROJECT,
  type Route,
  routed,
  TOKENS,
} from './forge-state.js';

const at = (path: string): RegExp => new RegExp(`^/repos/${PROJECT}/${path}$`);
const comments = commentsBy(BOT, ({ id, author, body }) => ({ id, user: { login: author }, body }));
const given = ({ body }: Asked): { body: string; head: string; state?: string; inputs?: { pull_request: string } } =>
  JSON.parse(body.toString());
const bodyOf = (asked: Asked): string => given(asked).body;
const pullOf = ({ number, head, merged, isClosed, text }: Change): object => ({
  ...{ number, body: text ?? null, head: { sha: head }, html_url: `https://forge.example.com/pull/${number}` },
  state: isClosed === true || merged !== undefined ? 'closed' : 'open',
  merged_at: merged === undefined ? null : `2026-01-01T00:00:0${number}Z`,
  ...{ merge_commit_sha: merged ?? null, user: { login: 'ann', type: 'User' }, base: { ref: 'main' } },
});
const reviewsOf = ({ head, approvedBy = [] }: Change): object[] =>
  approvedBy.map((login) => ({
    ...{ user: { login, type: 'User' }, state: 'APPROVED', commit_id: head, author_association: 'MEMBER' },
  }));

/** As the documentation of GitHub has them: comments of issues, pull requests, artifacts, starting a workflow. */
const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: at('issues/(\\d+)/comments'),
    answer: ([id = ''], asked, state) => comments.list(id, asked, state),
  },
  {
    method: 'POST',
    path: at('issues/(\\d+)/comments'),
    answer: ([id = ''], asked, state) => comments.add(id, bodyOf(asked), state),
  },
  {
    method: 'PATCH',
    path: at('issues/comments/(\\d+)'),
    answer: ([id = ''], asked, state) => comments.edit(id, bodyOf(asked), state),
  },
  {
    method: 'GET',
    path: at('commits/(\\w+)/pulls'),
    answer: ([commit], _, { changes }) => {
      const found = changes.filter(({ head, merged }) => head === commit || merged === commit);
      return { body: found.map(pullOf) };
    },
  },
  {
    method: 'GET',
    path: at('pulls/(\\d+)/reviews'),
    answer: ([number], _, { changes }) => ({
      body: changes.filter((one) => one.number === Number(number)).flatMap(reviewsOf),
    }),
  },
  {
    method: 'GET',
    path: at('pulls'),
    answer: async (_, { url: { searchParams } }, state) => {
      const [, branch] = (searchParams.get('head') ?? '').split(':');
      const found = branch === undefined ? state.changes : await changesOf(branch, state);
      const isMeant = (pull: object): boolean =>
        searchParams.get('state') === 'all' || (pull as { state: string }).state === searchParams.get('state');
      return { body: found.map(pullOf).filter(isMeant) };
    },
  },
  {
    method: 'POST',
    path: at('pulls'),
    answer: async (_, asked, state) => ({
      status: 201,
      body: pullOf(await openChange(given(asked).head, bodyOf(asked), state)),
    }),
  },
  {
    method: 'PATCH',
    path: at('pulls/(\\d+)'),
    answer: ([number = ''], asked, state) => {
      const { body, state: wanted } = given(asked);
      return { body: pullOf(editChange(number, wanted === 'closed' ? { isClosed: true } : { text: body }, state)) };
    },
  },
  {
    method: 'POST',
    path: at('actions/workflows/dexsync.yml/dispatches'),
    answer: (_, asked, { started }) => {
      started.push(Number(given(asked).inputs?.pull_request));
      return { status: 204, body: Buffer.alloc(0) };
    },
  },
  {
    method: 'GET',
    path: at('actions/artifacts'),
    answer: (_, { url }, { saved }) => {
      const found = saved.filter(({ name }) => name === url.searchParams.get('name'));
      const run = (fork: boolean) => ({ repository_id: 1, head_repository_id: fork ? 2 : 1 });
      return { body: { artifacts: found.map((one) => ({ id: one.id, expired: false, workflow_run: run(one.fork) })) } };
    },
  },
  {
    method: 'GET',
    path: at('actions/artifacts/(\\d+)/zip'),
    answer: async ([id], _, { saved }) => ({
      body: await zipped(saved.find((one) => one.id === Number(id))?.files ?? new Map()),
    }),
  },
];

export const answerGithub = async (asked: Asked, state: ForgeState): Promise<Given> =>
  asked.header('authorization') === `Bearer ${TOKENS.push}`
    ? routed(ROUTES, asked, state)
    : { status: 401, body: { message: 'Bad credentials' } };

async function zipped(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of files) zip.addBuffer(content, name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
