import { TOKENS } from './forge-state.js';
import { type GithubEvent, runGithub, type Settings } from './github-runner.js';
import { cloneFor, type GitlabEvent, runGitlab } from './gitlab-runner.js';
import type { Change, HostedProject } from './hosted-project.js';
import type { Checks, Ran, Runner } from './runner.js';

/** What became of the jobs that ran, by their names. */
export type Jobs = Readonly<Record<string, Ran>>;

export const codes = (jobs: Jobs): Record<string, number> =>
  Object.fromEntries(Object.entries(jobs).map(([name, { code }]) => [name, code]));

export type Stage = 'dev' | 'test' | 'prod';

/** Who the jobs log in as, in the workspace of each environment. */
export type Logins = Readonly<Record<Stage, Login>>;

interface Login {
  readonly email: string;
  readonly password: string;
}

/** Which jobs of a pipeline a person started. */
type Started = Pick<GitlabEvent, 'jobs' | 'clone'>;

/** The ways in which pipelines of a project are started. */
export interface Runs {
  /** A change was opened, or has a new commit. */
  change(change: Change, variables?: Readonly<Record<string, string>>): Promise<Jobs>;
  merged(commit: string): Promise<Jobs>;
  /** By somebody, for the main branch, or for a change of a fork. */
  byHand(change?: number): Promise<Jobs>;
  /** By somebody, who promotes a release: the newest that may go, unless one is named. */
  promote(to: Stage, release?: string): Promise<Jobs>;
  /** By somebody, who starts the job that applies the last promotion again. */
  applyAgain(to: Stage): Promise<Jobs>;
  night(): Promise<Jobs>;
}

export interface Forge {
  readonly name: 'github' | 'gitlab';
  on(host: HostedProject, logins: Logins, checks: Checks): Runs;
}

export const GITHUB: Forge = {
  name: 'github',
  on(host, logins, checks) {
    const settingsOf = (environment: string): Settings => {
      const { email, password } = logins[environment.replace('-plan', '') as Stage];
      return environment.endsWith('-plan')
        ? { vars: { PLM_READER: email }, secrets: { PLM_READER_PASSWORD: password } }
        : { vars: { PLM_WRITER: email }, secrets: { PLM_WRITER_PASSWORD: password } };
    };
    const run = (event: GithubEvent, variables = {}, again?: readonly string[]) =>
      runGithub(host, event, settingsOf, checks, variables, again);
    const main = async (): Promise<string> => host.tip();
    const promotion = async (inputs: object): Promise<GithubEvent> => ({
      ...{ name: 'workflow_dispatch', ref: 'main', sha: await main() },
      ...{ event: { inputs }, inputs },
    });
    return {
      change: ({ number, head, fork }, variables) => {
        const repo = { full_name: fork ? 'stranger/project' : 'group/project' };
        const event = { pull_request: { number, head: { sha: head, repo } } };
        return run({ name: 'pull_request', ref: `refs/pull/${number}/merge`, sha: head, event, fork }, variables);
      },
      merged: (commit) => run({ name: 'push', ref: commit, sha: commit, event: {} }),
      byHand: async (change) => {
        const inputs = { pull_request: change === undefined ? '' : String(change) };
        return run({ name: 'workflow_dispatch', ref: 'main', sha: await main(), event: { inputs }, inputs });
      },
      promote: async (to, release = '') => run(await promotion({ promote_to: to, release })),
      applyAgain: async (to) => run(await promotion({ promote_to: to, release: '' }), {}, ['promotion']),
      night: async () => run({ name: 'schedule', ref: 'main', sha: await main(), event: {} }),
    };
  },
};

export const GITLAB: Forge = {
  name: 'gitlab',
  on(host, logins, checks) {
    const loginTo = (stage: Stage): Record<string, string> => ({
      [`DEXSYNC_${stage.toUpperCase()}_EMAIL`]: logins[stage].email,
      [`DEXSYNC_${stage.toUpperCase()}_PASSWORD`]: logins[stage].password,
      FORGE_TOKEN: TOKENS.push,
    });
    const stages = Object.keys(logins) as Stage[];
    const settings = {
      all: { 'dev-plan': loginTo('dev') },
      protected: Object.fromEntries(
        stages.flatMap((stage) => [stage, `${stage}-reader`].map((environment) => [environment, loginTo(stage)])),
      ),
    };
    const main = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_REF_PROTECTED: 'true' };
    const run = (ref: string, sha: string, variables: Readonly<Record<string, string>>, started: Started = {}) =>
      runGitlab(host, { ref, sha, variables, ...started }, settings, checks);
    let promoted: Runner | undefined;
    const promote = async (jobs: readonly string[], release?: string): Promise<Jobs> => {
      const given = release === undefined ? {} : { RELEASE: release };
      promoted ??= await cloneFor(host, { ref: 'main' });
      const started = { jobs, clone: promoted };
      return run('main', await host.tip(), { ...main, CI_PIPELINE_SOURCE: 'push', ...given }, started);
    };
    return {
      change: ({ number, head, fork }, variables) =>
        run(`refs/merge-requests/${number}/head`, head, {
          ...{ CI_PIPELINE_SOURCE: 'merge_request_event', CI_MERGE_REQUEST_IID: String(number), CI_COMMIT_BRANCH: '' },
          ...{ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: fork ? '2' : '1', CI_MERGE_REQUEST_PROJECT_ID: '1' },
          ...variables,
        }),
      merged: (commit) => run(commit, commit, { ...main, CI_PIPELINE_SOURCE: 'push' }),
      byHand: async (change) =>
        run('main', await host.tip(), {
          ...main,
          CI_PIPELINE_SOURCE: 'web',
          ...(change === undefined ? {} : { MERGE_REQUEST: String(change) }),
        }),
      promote: (to, release) => {
        promoted = undefined;
        return promote([`${to}-plan`, to], release);
      },
      applyAgain: (to) => promote([to]),
      night: async () => run('main', await host.tip(), { ...main, CI_PIPELINE_SOURCE: 'schedule' }),
    };
  },
};
