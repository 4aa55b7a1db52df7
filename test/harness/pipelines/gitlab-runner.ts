import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { PROJECT, TOKENS } from './forge-state.js';
import type { HostedProject } from './hosted-project.js';
import { type Checks, freshClone, type Ran, type Runner, runLine } from './runner.js';

const PROGRAM = resolve('node_modules/.bin/gitlab-ci-local');

/** What started a pipeline. */
export interface GitlabEvent {
  readonly ref: string;
  readonly sha: string;
  /** Predefined variables, and those that a person gave. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Variables of the project by environment, `*` for all; `protected` are those of jobs on protected branches alone. */
export interface Settings {
  readonly all: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly protected: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Runs the pipeline of a clone as it is written, by gitlab-ci-local. */
export async function runGitlab(
  host: HostedProject,
  event: GitlabEvent,
  settings: Settings,
  checks: Checks,
): Promise<Readonly<Record<string, Ran>>> {
  const clone = await freshClone(host.clonedBy(TOKENS.job), event.ref);
  const isProtected = event.variables.CI_COMMIT_REF_PROTECTED === 'true';
  await mkdir(join(clone.home, '.gitlab-ci-local'));
  const known = merge(settings.all, isProtected ? settings.protected : {});
  await writeFile(join(clone.home, '.gitlab-ci-local', 'variables.yml'), stringify({ global: known }));
  const predefined: Record<string, string> = {
    ...{ CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: '1', CI_JOB_TOKEN: TOKENS.job, CI_COMMIT_SHA: event.sha },
    ...{ CI_REPOSITORY_URL: host.clonedBy(TOKENS.job), CI_DEFAULT_BRANCH: 'main', CI_PROJECT_PATH: PROJECT },
    ...event.variables,
  };
  const given = Object.entries(predefined).map(([name, value]) => `--variable ${name}='${value}'`);
  const options = `--force-shell-executor --home ${clone.home} --no-color --ignore-predefined-vars '${Object.keys(predefined)}'`;
  const jobs = checks === 'left out' ? await otherJobs(`${PROGRAM} ${options} ${given.join(' ')}`, clone) : '';
  return jobsIn((await runLine(`${PROGRAM} ${jobs} ${options} ${given.join(' ')}`, clone, {})).text);
}

/** The jobs of this pipeline but the check. */
async function otherJobs(program: string, clone: Runner): Promise<string> {
  const { text } = await runLine(`${program} --list-csv`, clone, {});
  const names = text.split('\n').flatMap((line) => /^(\w+);/.exec(line)?.[1] ?? []);
  return names.filter((name) => name !== 'name' && name !== 'check').join(' ');
}

/** gitlab-ci-local says at the end which jobs passed, and writes the name of a job before its lines. */
function jobsIn(text: string): Readonly<Record<string, Ran>> {
  const lines = text.split('\n');
  const ended = lines.flatMap((line) => {
    const [, outcome, name] = /^ (PASS|FAIL) +(\w+)/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, code: outcome === 'PASS' ? 0 : 1 }];
  });
  return Object.fromEntries(
    ended.map(({ name, code }) => {
      const own = lines.filter((line) => line.startsWith(`${name} `)).join('\n');
      return [name, { code, text: own }];
    }),
  );
}

/** As gitlab-ci-local takes them: the value of each variable by environment. */
function merge(...all: Settings['all'][]): object {
  const values: Record<string, { type: 'variable'; values: Record<string, string> }> = {};
  for (const [environment, own] of all.flatMap((one) => Object.entries(one))) {
    for (const [name, value] of Object.entries(own)) {
      values[name] = { type: 'variable', values: { ...values[name]?.values, [environment]: value } };
    }
  }
  return values;
}
