import type { Variables } from '../config/environment-settings.js';
import type { PipelineRun } from '../ledger/apply-facts.js';

/** The run of a pipeline that this process is part of, by the variables that its maker documents. */
export function pipelineRun(variables: Variables): PipelineRun | undefined {
  const said = (name: string): string | undefined => variables[name] || undefined;
  if (said('GITHUB_ACTIONS') !== undefined) return run('GitHub Actions', githubUrl(variables), said('GITHUB_ACTOR'));
  if (said('GITLAB_CI') !== undefined) return run('GitLab CI', said('CI_JOB_URL'), said('GITLAB_USER_LOGIN'));
  if (said('BUILD_URL') !== undefined) return run('Jenkins', said('BUILD_URL'), said('BUILD_USER_ID'));
  return said('CI') === undefined ? undefined : run('CI', undefined, undefined);
}

const run = (name: string, url: string | undefined, by: string | undefined): PipelineRun => ({
  name,
  ...(url === undefined ? {} : { url }),
  ...(by === undefined ? {} : { by }),
});

function githubUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Variables): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}
