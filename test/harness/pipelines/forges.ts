import { TOKENS } from './forge-state.js';
import { type GithubEvent, runGithub } from './github-runner.js';
import { runGitlab } from './gitlab-runner.js';
import type { Change, HostedProject } from './hosted-project.js';
import type { Checks, Ran } from './runner.js';

/** What became of the jobs that ran, by their names. */
export type Jobs = Readonly<Record<string, Ran>>;

/** Who the jobs log in as. */
interface Login {
  readonly email: string;
  readonly password: string;
}

/** The ways in which pipelines of a project are started. */
export interface Runs {
  readonly secret: string;
  /** A change was opened, or has a new commit. */
  change(change: Change, variables?: Readonly<Record<string, string>>): Promise<Jobs>;
  merged(commit: string): Promise<Jobs>;
  /** By somebody, for the main branch, or for a change of a fork. */
  byHand(change?: number): Promise<Jobs>;
  night(): Promise<Jobs>;
}

export interface Forge {
  readonly name: 'github' | 'gitlab';
  /** How the job ends that found drift. */
  readonly drifted: number;
  on(host: HostedProject, login: Login, checks: Checks): Runs;
}

export const GITHUB: Forge = {
  name: 'github',
  drifted: 2,
  on(host, { email, password }, checks) {
    const settings = {
      vars: { PLM_READER: email, PLM_WRITER: email },
      secrets: { PLM_READER_PASSWORD: password, PLM_WRITER_PASSWORD: password, DEXSYNC_PLAN_KEY: 'key' },
    };
    const run = (event: GithubEvent, variables = {}) => runGithub(host, event, settings, checks, variables);
    const main = async (): Promise<string> => host.tip();
    return {
      secret: password,
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
      night: async () => run({ name: 'schedule', ref: 'main', sha: await main(), event: {} }),
    };
  },
};

export const GITLAB: Forge = {
  name: 'gitlab',
  drifted: 1,
  on(host, { email, password }, checks) {
    const login = { DEXSYNC_PROD_EMAIL: email, DEXSYNC_PROD_PASSWORD: password };
    const settings = {
      all: { '*': { DEXSYNC_PLAN_KEY: 'key' }, 'prod-plan': { ...login, FORGE_TOKEN: TOKENS.push } },
      protected: { prod: { ...login, FORGE_TOKEN: TOKENS.push } },
    };
    const main = { CI_COMMIT_BRANCH: 'main', CI_COMMIT_REF_PROTECTED: 'true' };
    const run = (ref: string, sha: string, variables: Readonly<Record<string, string>>) =>
      runGitlab(host, { ref, sha, variables }, settings, checks);
    return {
      secret: password,
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
      night: async () => run('main', await host.tip(), { ...main, CI_PIPELINE_SOURCE: 'schedule' }),
    };
  },
};
