import { appendFile, mkdir, writeFile } from 'node:fs/promises';
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
  /** The jobs that a person started; by default all that start by themselves. */
  readonly jobs?: readonly string[];
  /** A clone of an earlier run, whose artifacts the jobs get. */
  readonly clone?: Runner;
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
  const clone = event.clone ?? (await cloneFor(host, event));
  const isProtected = event.variables.CI_COMMIT_REF_PROTECTED === 'true';
  await mkdir(join(clone.home, '.gitlab-ci-local'), { recursive: true });
  const known = merge(settings.all, isProtected ? settings.protected : {});
  await writeFile(join(clone.home, '.gitlab-ci-local', 'variables.yml'), stringify({ global: known }));
  const predefined: Record<string, string> = {
    ...{ CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: '1', CI_JOB_TOKEN: TOKENS.job, CI_COMMIT_SHA: event.sha },
    ...{ CI_REPOSITORY_URL: host.clonedBy(TOKENS.job), CI_DEFAULT_BRANCH: 'main', CI_PROJECT_PATH: PROJECT },
    ...event.variables,
  };
  const given = Object.entries(predefined).map(([name, value]) => `--variable ${name}='${value}'`);
  const options = `--force-shell-executor --home ${clone.home} --no-color --ignore-predefined-vars '${Object.keys(predefined)}'`;
  const others = async (): Promise<string> =>
    checks === 'left out' ? otherJobs(`${PROGRAM} ${options} ${given.join(' ')}`, clone) : '';
  const jobs = event.jobs?.map((name) => `${name} --manual ${name}`).join(' ') ?? (await others());
  return jobsIn((await runLine(`${PROGRAM} ${jobs} ${options} ${given.join(' ')}`, clone, {})).text);
}

export async function cloneFor(host: HostedProject, { ref }: Pick<GitlabEvent, 'ref'>): Promise<Runner> {
  const clone = await freshClone(host.clonedBy(TOKENS.job), ref);
  // A real runner leaves nothing of its own in the project.
  await appendFile(join(clone.folder, '.git/info/exclude'), '.gitlab-ci-local\n');
  return clone;
}

/** The jobs that start by themselves, but the check. */
async function otherJobs(program: string, clone: Runner): Promise<string> {
  const { text } = await runLine(`${program} --list-csv`, clone, {});
  const names = text.split('\n').flatMap((line) => /^(\w+);.*;on_success;/.exec(line)?.[1] ?? []);
  return names.filter((name) => name !== 'check').join(' ');
}

/**
 * gitlab-ci-local writes the name of a job before its lines, and says at the end which jobs passed, with the errors of
 * the others.
 */
function jobsIn(text: string): Readonly<Record<string, Ran>> {
  const lines = text.split('\n');
  const ended = lines.flatMap((line, index) => {
    const [, outcome, name] = /^ (PASS|FAIL|WARN) +([\w-]+)/.exec(line) ?? [];
    if (name === undefined) return [];
    const after = lines.slice(index + 1);
    const errors = after.slice(
      0,
      after.findIndex((one) => !one.startsWith('  > ')),
    );
    const own = [...lines.filter((one) => one.startsWith(`${name} `)), ...errors];
    return [[name, { code: outcome === 'PASS' ? 0 : 1, text: own.join('\n') }] as const];
  });
  return Object.fromEntries(ended);
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
