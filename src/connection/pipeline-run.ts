import type { Variables } from '../config/environment-settings.js';
import type { PipelineRun } from '../ledger/apply-facts.js';

/**
 * The run of a pipeline that this process is part of, by the variables that its maker documents; undefined where none
 * is set.
 */
export function pipelineRunOf(variables: Variables): PipelineRun | undefined {
  const variable = (name: string): string | undefined => variables[name] || undefined;
  if (variable('GITHUB_ACTIONS') !== undefined)
    return toPipelineRun('GitHub Actions', githubUrl(variables), variable('GITHUB_ACTOR'));
  if (variable('GITLAB_CI') !== undefined)
    return toPipelineRun('GitLab CI', variable('CI_JOB_URL'), variable('GITLAB_USER_LOGIN'));
  if (variable('BUILD_URL') !== undefined)
    return toPipelineRun('Jenkins', variable('BUILD_URL'), variable('BUILD_USER_ID'));
  return variable('CI') === undefined ? undefined : toPipelineRun('CI', undefined, undefined);
}

const toPipelineRun = (name: string, url: string | undefined, by: string | undefined): PipelineRun => ({
  name,
  ...(url === undefined ? {} : { url }),
  ...(by === undefined ? {} : { by }),
});

function githubUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Variables): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}
