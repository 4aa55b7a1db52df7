import { omitUndefined } from '#base/omit-undefined.js';
import type { PipelineRun } from '#core/model/provenance.js';
import type { Variables } from '../host.js';

/**
 * The pipeline run that this process is part of, from the variables that its CI system documents; undefined if none is
 * set.
 */
export function detectPipelineRun(variables: Variables): PipelineRun | undefined {
  const variable = (name: string): string | undefined => variables[name] || undefined;
  if (variable('GITHUB_ACTIONS') !== undefined)
    return toPipelineRun('GitHub Actions', githubUrl(variables), variable('GITHUB_ACTOR'));
  if (variable('GITLAB_CI') !== undefined)
    return toPipelineRun('GitLab CI', variable('CI_JOB_URL'), variable('GITLAB_USER_LOGIN'));
  if (variable('BUILD_URL') !== undefined)
    return toPipelineRun('Jenkins', variable('BUILD_URL'), variable('BUILD_USER_ID'));
  return variable('CI') === undefined ? undefined : toPipelineRun('CI', undefined, undefined);
}

/** The branch that a pipeline runs for, since it often checks out a commit without a branch. */
export function detectPipelineBranch(variables: Variables): string | undefined {
  const isTag = variables.GITHUB_REF_TYPE === 'tag';
  const [name] = BRANCHES.flatMap((variable) => (isTag ? [] : variables[variable] || []));
  return name;
}

/** The variables of a proposed change come first: there GITHUB_REF_NAME is `7/merge`. */
const BRANCHES = [
  ...['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'],
  ...['CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_BRANCH'],
  ...['CHANGE_BRANCH', 'BRANCH_NAME'],
];

const toPipelineRun = (name: string, url: string | undefined, by: string | undefined): PipelineRun => ({
  name,
  ...omitUndefined({ url, by }),
});

function githubUrl({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID }: Variables): string | undefined {
  if (!GITHUB_SERVER_URL || !GITHUB_REPOSITORY || !GITHUB_RUN_ID) return undefined;
  return `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
}
