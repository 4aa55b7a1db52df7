import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { fleetProject } from '../harness/fleet-project.js';
import { git } from '../harness/git.js';
import {
  type Person,
  people,
  protectProject,
  type SignedProject,
  signedProject,
  variablesOf,
} from '../harness/signed-project.js';
import { groups } from './lease-project.js';

const PLAN = 'ledger:p';
const APPLY = ['apply', '--as-reviewed', PLAN, '--yes'];

interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or a text as it is. */
  readonly body?: unknown;
}

/** An API of a forge: what is asked for by each path, and what it was asked. */
async function forgeApi() {
  const answers = new Map<string, Given | ((url: URL) => Given)>();
  const asked: string[] = [];
  const tokens = new Set<string | undefined>();
  const server = createServer(({ url: path = '', headers }, response) => {
    const url = new URL(path, 'http://forge');
    asked.push(url.pathname);
    tokens.add(headers.authorization ?? String(headers['private-token']));
    const found = answers.get(url.pathname);
    const given = (typeof found === 'function' ? found(url) : found) ?? { status: 404, body: { message: 'Not Found' } };
    const text = typeof given.body === 'string' ? given.body : JSON.stringify(given.body);
    response.writeHead(given.status ?? 200, given.headers ?? {}).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(() => server.close());
  return { answers, asked, tokens, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const head = async ({ project }: SignedProject): Promise<string> =>
  (await git(project.folder, 'rev-parse', 'HEAD')).trim();

/** A project whose plan Bob has signed, and a forge that it asks. */
async function signedPlan(reviews: string) {
  const { ann, bob } = await people('ann', 'bob');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob], reviews);
  const api = await forgeApi();
  const variables = {
    ...{ GITHUB_TOKEN: 'token-of-github', GITHUB_REPOSITORY: 'group/project', GITHUB_API_URL: api.url },
    ...{ GITLAB_TOKEN: 'token-of-gitlab', CI_API_V4_URL: `${api.url}/api/v4`, CI_PROJECT_ID: '1' },
  };
  const as = (others: Readonly<Record<string, string>> = {}) => found.as(ann, { ...variables, ...others });
  await as()('plan', '--out', PLAN);
  const signed = await found.as(bob)('plan', 'review', PLAN, '--approve');
  return { ...found, api, as, signed, commit: await head(found), used: (await found.workspace.usage()).length };
}

const PULLS = (commit: string) => `/repos/group/project/commits/${commit}/pulls`;
const REVIEWS = '/repos/group/project/pulls/7/reviews';
const pull = (commit: string, others: object = {}) => ({
  ...{ number: 7, state: 'open', merged_at: null, merge_commit_sha: null, user: { login: 'ann', type: 'User' } },
  ...{ head: { sha: commit }, base: { ref: 'main' }, ...others },
});
const review = (login: string, state: string, commit: string, others: object = {}) => ({
  ...{ user: { login, type: 'User' }, state, commit_id: commit, author_association: 'MEMBER', ...others },
});

describe('approvals on GitHub', () => {
  const ONE = '{ required: 1, forge: { github: { approvals: 1 } } }';

  test('are needed as well as signatures, by members of the last commit, and the history shows them', async () => {
    const { as, api, commit, signed, workspace, used } = await signedPlan(ONE);
    expect(signed.out).toContain(
      'The plan has the approvals that it needs. Its apply also asks GitHub for approvals.\n',
    );
    const refused = async (...given: object[]): Promise<string> => {
      api.answers.set(REVIEWS, { body: given });
      const { code, text } = await as()(...APPLY);
      expect(code, text).toBe(5);
      return text;
    };
    api.answers.set(PULLS(commit), { body: [] });
    expect(await refused()).toContain(
      `ledger:p has 0 of 1 approvals on GitHub, as \`reviews\` of the default branch of origin (${commit.slice(0, 8)}) asks for: commit ${commit.slice(0, 8)} is neither the last one of a pull request for main nor its merge.`,
    );
    for (const other of [
      { base: { ref: 'elsewhere' } },
      { state: 'closed' },
      { head: { sha: '0'.repeat(40) }, merge_commit_sha: '1'.repeat(40) },
    ]) {
      api.answers.set(PULLS(commit), { body: [pull(commit, other)] });
      expect(await refused(review('eve', 'APPROVED', commit))).toContain('is neither the last one of a pull request');
    }
    api.answers.set(PULLS(commit), { body: [pull(commit)] });
    const nobody = 'pull request 7 was approved by nobody.';
    expect(await refused(review('Ann', 'APPROVED', commit))).toContain(nobody);
    expect(await refused(review('eve', 'APPROVED', '0'.repeat(40)))).toContain(nobody);
    expect(await refused(review('eve', 'APPROVED', commit, { author_association: 'NONE' }))).toContain(nobody);
    const program = { user: { login: 'github-actions[bot]', type: 'Bot' } };
    expect(await refused(review('', 'APPROVED', commit, program))).toContain(nobody);
    expect(await refused(review('eve', 'DISMISSED', commit), review('', 'APPROVED', commit, { user: null }))).toContain(
      nobody,
    );
    expect(await refused(review('eve', 'APPROVED', commit), review('eve', 'CHANGES_REQUESTED', commit))).toContain(
      nobody,
    );
    expect((await workspace.usage()).length).toBe(used);

    // The approval is on the second page, and a comment does not take it back.
    const pages = [[review('bob', 'COMMENTED', commit)], [review('eve', 'APPROVED', commit)]];
    api.answers.set(REVIEWS, ({ searchParams }) => {
      const page = Number(searchParams.get('page'));
      const headers = { link: `<http://elsewhere.example.com/?page=2>; rel="${page === 1 ? 'next' : 'last'}"` };
      return { headers, body: [...(pages[page - 1] ?? []), review('eve', 'COMMENTED', '0'.repeat(40))] };
    });
    const applied = await as()(...APPLY);
    expect(applied.code, applied.text).toBe(0);
    expect(api.tokens).toEqual(new Set(['Bearer token-of-github']));
    expect((await as()('history', 'show', '1')).out).toContain(
      '  Forge      pull request 7 on GitHub, approved by eve\n',
    );
  });

  test('are of the merged commit that is checked out, or of the commit that a saved plan names', async () => {
    const { as, api, commit, project, push } = await signedPlan(ONE);
    await push();
    const merge = (await git(project.folder, 'rev-parse', 'HEAD')).trim();
    const merged = { state: 'closed', merged_at: '2026-11-30T00:00:00Z', merge_commit_sha: merge };
    api.answers.set(REVIEWS, { body: [review('eve', 'APPROVED', commit)] });
    api.answers.set(PULLS(merge), { body: [pull(commit, merged)] });
    expect((await as()('apply', PLAN, '--yes')).err).toContain('was answered 404');
    expect(api.asked.at(-1)).toBe(PULLS(commit));
    await project.write('manifests/more.yaml', groups(1).replaceAll('G0', 'More'));
    expect((await as()(...APPLY)).err).toContain('the folder that it comes from has changes that are not committed');
    await git(project.folder, 'clean', '--quiet', '--force', 'manifests');
    const done = await as()(...APPLY);
    expect(done.code, done.text).toBe(0);
  });

  test('are not left out by a change that removes them, nor where they cannot be read', async () => {
    const { as, api, commit, config, workspace, used, project } = await signedPlan(ONE);
    const refusal = async (others: Readonly<Record<string, string>> = {}): Promise<[number | null, string]> => {
      const { code, err } = await as(others)(...APPLY);
      return [code, err];
    };
    expect(await refusal({ GITHUB_TOKEN: '' })).toEqual([
      3,
      expect.stringContaining('asks for approvals on GitHub, which cannot be read: GITHUB_TOKEN is not set.'),
    ]);
    expect((await refusal({ GITHUB_REPOSITORY: '' }))[1]).toContain('cannot be read: GITHUB_REPOSITORY is not set.');
    const answers: [Given, string][] = [
      [{ status: 404, body: {} }, 'was answered 404.\nCheck that GITHUB_TOKEN may read the project on GitHub'],
      [{ status: 301, headers: { location: `${api.url}/other` } }, 'was answered 301.'],
      [{ status: 500, body: 'Oops' }, 'was answered 500.'],
      [{ body: '<html>Sign in</html>' }, 'was answered with no JSON.'],
      [{ body: { message: 'hello' } }, 'was answered in another form than its documentation has: '],
      [{ body: [pull(commit, { number: '7' })] }, 'in another form than its documentation has: a number is missing.'],
      [
        { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1796083200' }, body: {} },
        'was answered 403: the requests of the token are used up, until 2026-12-01T00:00:00.000Z.',
      ],
      [
        { status: 429, headers: { 'retry-after': '60' } },
        'was answered 429: the requests of the token are used up, for 60 s.',
      ],
    ];
    for (const [given, said] of answers) {
      api.answers.set(PULLS(commit), given);
      const [code, err] = await refusal();
      expect([code, err]).toEqual([1, expect.stringContaining(said)]);
      expect(err).not.toContain('token-of-github');
    }
    const [code, err] = await refusal({ GITHUB_API_URL: 'http://127.0.0.1:1' });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/Approvals cannot be read from GitHub: GET .* got no answer/),
    ]);
    api.answers.set(PULLS(commit), { body: [pull(commit)] });
    api.answers.set(REVIEWS, { body: [] });
    await config('{ required: 1 }');
    await git(project.folder, 'commit', '--quiet', '--all', '--message', 'mine');
    api.answers.set(PULLS((await git(project.folder, 'rev-parse', 'HEAD')).trim()), { body: [] });
    expect((await refusal())[1]).toContain('has 0 of 1 approvals on GitHub');
    expect((await workspace.usage()).length).toBe(used);
  });
});

test('approvals on GitLab are needed as well as signatures, by people other than the author', async () => {
  const { as, api, commit, workspace, used } = await signedPlan('{ required: 1, forge: { gitlab: { approvals: 2 } } }');
  const requests = `/api/v4/projects/1/repository/commits/${commit}/merge_requests`;
  const approvals = '/api/v4/projects/1/merge_requests/7/approvals';
  const request = { iid: 7, sha: '0'.repeat(40), state: 'merged', target_branch: 'main', author: { username: 'ann' } };
  const by = (...names: string[]) => ({ body: { approved_by: names.map((username) => ({ user: { username } })) } });
  api.answers.set(requests, { body: [{ ...request, merge_commit_sha: null, squash_commit_sha: commit }] });
  api.answers.set(approvals, by('eve', 'ann', 'project_1_bot_5f3', 'service_account_x'));
  expect((await as()(...APPLY)).err).toMatch(
    /has 1 of 2 approvals on GitLab, as `reviews` of .* asks for: merge request 7 was approved by eve\./,
  );
  api.answers.set(approvals, { body: [] });
  expect((await as()(...APPLY)).err).toContain('was answered in another form');
  expect((await as({ GITLAB_TOKEN: '' })(...APPLY)).err).toContain('cannot be read: GITLAB_TOKEN is not set.');
  expect((await workspace.usage()).length).toBe(used);
  api.answers.set(approvals, by('eve', 'bob'));
  const applied = await as()(...APPLY);
  expect(applied.code, applied.text).toBe(0);
  expect(api.tokens).toEqual(new Set(['token-of-gitlab']));
});

test('a fleet asks a forge once for all its environments', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const fleet = await fleetProject(3, 'waves: [3]');
  const { project } = fleet;
  await protectProject(project, [bob], '{ environments: ["s*"], forge: { github: { approvals: 1 } } }');
  const api = await forgeApi();
  const forge = { GITHUB_TOKEN: 'token', GITHUB_REPOSITORY: 'group/project', GITHUB_API_URL: api.url };
  const as =
    (who: Person) =>
    (...args: string[]) =>
      project.run(args, { ...fleet.variables, ...variablesOf(who), ...forge });
  expect((await as(ann)('fleet', 'plan', 'sites', '--out', 'ledger:r1')).code).toBe(0);
  expect((await as(bob)('fleet', 'review', 'ledger:r1', '--approve')).code).toBe(0);
  const commit = (await git(project.folder, 'rev-parse', 'HEAD')).trim();
  api.answers.set(PULLS(commit), { body: [pull(commit)] });
  api.answers.set(REVIEWS, { body: [review('eve', 'APPROVED', commit)] });
  const applied = await as(ann)('fleet', 'apply', 'ledger:r1', '--yes');
  expect(applied.code, applied.out + applied.err).toBe(0);
  expect(api.asked).toEqual([PULLS(commit), REVIEWS]);
});
