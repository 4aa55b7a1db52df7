import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { git } from '../git.js';
import { PROJECT, TOKENS } from './forge-state.js';
import type { HostedProject } from './hosted-project.js';
import { type Checks, freshClone, type Ran, type Runner, runLine } from './runner.js';

/** What started a workflow. */
export interface GithubEvent {
  readonly name: 'push' | 'pull_request' | 'schedule' | 'workflow_dispatch';
  /** What is checked out. */
  readonly ref: string;
  readonly sha: string;
  readonly event: object;
  readonly inputs?: object;
  /** Begun by the change of a fork: without secrets. */
  readonly fork?: boolean;
}

/** What the settings of an environment have. */
export interface Settings {
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

interface Job {
  readonly if?: string;
  readonly needs?: string;
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the jobs of a workflow as the commit has it, or the named ones again, each in a fresh clone. A job that did not run
 * has no outcome.
 */
export async function runGithub(
  host: HostedProject,
  event: GithubEvent,
  settingsOf: (environment: string) => Settings,
  checks: Checks,
  variables: Readonly<Record<string, string>>,
  again?: readonly string[],
): Promise<Readonly<Record<string, Ran>>> {
  const text = await git(host.desk, 'show', `${event.sha}:.github/workflows/dexsync.yml`);
  const { jobs } = parse(text) as { jobs: Readonly<Record<string, Job>> };
  const github = {
    event_name: event.name,
    event: event.event,
    repository: PROJECT,
    sha: event.sha,
    token: TOKENS.push,
  };
  const contexts = { github, inputs: event.inputs ?? {} };
  const ran: Record<string, Ran> = {};
  for (const [name, job] of Object.entries(jobs)) {
    if (again === undefined ? !isReady(name, job, ran, checks) : !again.includes(name)) continue;
    if (!isMeant(job, contexts)) continue;
    const environment = fill(job.environment ?? '', contexts);
    if (!isAllowed(environment, event)) continue;
    const own = environment === '' || event.fork === true ? { vars: {}, secrets: {} } : settingsOf(environment);
    ran[name] = await runJob(job, { host, event, contexts: { ...contexts, ...own }, variables });
  }
  return ran;
}

function isReady(name: string, { needs }: Job, ran: Readonly<Record<string, Ran>>, checks: Checks): boolean {
  if (checks === 'left out' && name === 'check') return false;
  return needs === undefined || (checks === 'left out' && needs === 'check') || ran[needs]?.code === 0;
}

/** The environments of jobs that write are for the main branch alone. */
const isAllowed = (environment: string, { name }: GithubEvent): boolean =>
  name !== 'pull_request' || environment === '' || environment.endsWith('-plan');

interface Running {
  readonly host: HostedProject;
  readonly event: GithubEvent;
  readonly contexts: Readonly<Record<string, unknown>>;
  /** Further ones of the machine. */
  readonly variables: Readonly<Record<string, string>>;
}

async function runJob(job: Job, running: Running): Promise<Ran> {
  const { host, event, contexts } = running;
  const token = job.permissions?.contents === 'write' ? TOKENS.push : TOKENS.job;
  const clone = await freshClone(host.clonedBy(token), event.ref);
  const files = { GITHUB_ENV: join(clone.home, 'env'), GITHUB_STEP_SUMMARY: join(clone.home, 'summary') };
  for (const file of Object.values(files)) await writeFile(file, '');
  const machine = {
    ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_API_URL: host.url, GITHUB_REPOSITORY: PROJECT },
    GITHUB_REF_NAME: 'main',
  };
  const own = { ...machine, GITHUB_SHA: event.sha, ...files, ...running.variables, ...filled(job.env, contexts) };
  const done: Ran = { code: 0, text: '', env: own };
  for (const step of job.steps) {
    const env = { ...own, ...(await exported(files.GITHUB_ENV)) };
    const hashFiles = (file: string): string => (existsSync(join(clone.folder, file)) ? 'hash' : '');
    const here = { ...contexts, env, hashFiles };
    if (!isDue(step, done, here)) continue;
    const { code, text } = await runStep(step, { ...running, contexts: here }, clone, env);
    done.text += text;
    if (done.code === 0) done.code = code;
  }
  return done;
}

/** What steps gave to those after them. */
async function exported(file: string): Promise<Record<string, string>> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

const isMeant = (one: Pick<Job, 'if'>, contexts: object): boolean =>
  one.if === undefined || evaluate(one.if, contexts) === true;

const isDue = (step: Step, { code }: Ran, contexts: object): boolean =>
  (code === 0 || /always\(\)/.test(step.if ?? '')) && isMeant(step, contexts);

async function runStep(
  step: Step,
  running: Running,
  clone: Runner,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { contexts } = running;
  if (step.uses?.startsWith('actions/upload-artifact@')) await upload(step, clone.folder, running);
  if (step.uses?.startsWith('actions/download-artifact@')) await download(step, clone.folder, running);
  if (step.run === undefined) return { code: 0, text: '' };
  return runLine(`set -eo pipefail\n${fill(step.run, contexts)}`, clone, { ...env, ...filled(step.env, contexts) });
}

async function upload({ with: given }: Step, folder: string, { host, event, contexts }: Running): Promise<void> {
  const names = (given?.path ?? '').split('\n').filter((name) => existsSync(join(folder, name)) && name !== '');
  const read = names.map(async (name) => [name, await readFile(join(folder, name))] as const);
  host.saved.push({
    id: host.saved.length + 1,
    name: String(fill(given?.name ?? '', contexts)),
    fork: event.fork === true,
    files: new Map(await Promise.all(read)),
  });
}

/** Of whichever run: an attacker who may replace what another run saved is stronger than the real one. */
async function download({ with: given }: Step, folder: string, { host, contexts }: Running): Promise<void> {
  const name = String(fill(given?.name ?? '', contexts));
  const files = host.saved.findLast((one) => one.name === name)?.files ?? new Map<string, Buffer>();
  for (const [file, content] of files) await writeFile(join(folder, file), content);
}

const filled = (values: Readonly<Record<string, string>> = {}, contexts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value, contexts)]));

const fill = (text: string, contexts: object): string =>
  String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression) => String(evaluate(expression, contexts) ?? ''));

/** An expression of a workflow: of what these hold, JavaScript means the same, where what is missing is an empty text. */
function evaluate(expression: string, contexts: object): unknown {
  const missing = expression.replaceAll(/'[^']*'|[a-z_]+(\.[a-zA-Z_]+)+/g, (found) =>
    found.startsWith("'") ? found : `(${found.replaceAll('.', '?.')} ?? '')`,
  );
  const known = { always: () => true, env: {}, ...contexts };
  return new Function(...Object.keys(known), `return (${missing})`)(...Object.values(known));
}
