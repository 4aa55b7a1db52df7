import { ZipFile } from 'yazl';
import {
  type Asked,
  BOT,
  commentsBy,
  type ForgeState,
  type Given,
  PROJECT,
  type Route,
  routed,
  TOKENS,
} from './forge-state.js';

const at = (path: string): RegExp => new RegExp(`^/repos/${PROJECT}/${path}$`);
const comments = commentsBy(BOT, ({ id, author, body }) => ({ id, user: { login: author }, body }));
const bodyOf = ({ body }: Asked): string => (JSON.parse(body.toString()) as { body: string }).body;

/** As the documentation of GitHub has them: comments of issues, pull requests of a commit, artifacts. */
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
      return { body: found.map(({ head, merged }) => ({ head: { sha: head }, merged_at: merged ? 'now' : null })) };
    },
  },
  {
    method: 'GET',
    path: at('pulls'),
    answer: (_, __, { changes }) => ({
      body: changes.map(({ head, merged, number }) => ({
        head: { sha: head },
        merged_at: merged === undefined ? null : `2026-01-01T00:00:0${number}Z`,
      })),
    }),
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
