import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runInProcess } from '../run-in-process.js';
import { type TestWorkspace, testWorkspace } from '../test-workspace.js';
import type { Forge } from './forges.js';
import { type Change, hostProject, type Merging } from './hosted-project.js';
import { type Checks, programs } from './runner.js';

export const group = (name: string, description: string): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: ${name} }\nspec: { description: ${description} }\n`;

/** The service of the template, and the workspaces that it names there. */
const SERVICE = /url: https:\/\/plm.example.com\/v1\n( +credentials: .*?)\d+( })/;

/** What matters to a test of a pipeline. */
export interface Wanted {
  readonly checks?: Checks;
  /** Whether each environment has a workspace of its own. */
  readonly environments?: 'one' | 'each';
  /** Adds to the project before it is pushed. */
  readonly add?: (desk: string) => Promise<void>;
}

/** A repository as `init --pipeline` makes it, with the workspaces of its environments. */
export async function repository(
  forge: Forge,
  { checks = 'left out', environments = 'one', add = async () => undefined }: Wanted = {},
) {
  const workspace = await testWorkspace();
  const [middle, prod] =
    environments === 'one' ? [workspace, workspace] : [await testWorkspace(), await testWorkspace()];
  const host = await hostProject();
  const made = await runInProcess({
    args: ['init', '--pipeline', forge.name, '.'],
    folder: host.desk,
    // What `npm pack` makes of this package is tested where it is installed.
    variables: { PATH: await programs({ npm: 'echo \'[{"filename":"dexsync.tgz"}]\'' }) },
  });
  expect(made.code, made.err).toBe(0);
  const config = await readFile(join(host.desk, 'sync.config.yaml'), 'utf8');
  const meant = [workspace, middle, prod].reduce(
    (text, { url, variables }) => text.replace(SERVICE, `url: ${url}\n$1${variables.DEXSYNC_REMOTE_WORKSPACE_ID}$2`),
    config,
  );
  await writeFile(join(host.desk, 'sync.config.yaml'), meant);
  await add(host.desk);
  await host.start();
  const loginTo = ({ variables }: TestWorkspace) => ({
    email: variables.DEXSYNC_REMOTE_EMAIL ?? '',
    password: variables.DEXSYNC_REMOTE_PASSWORD ?? '',
  });
  const logins = { dev: loginTo(workspace), test: loginTo(middle), prod: loginTo(prod) };
  const runs = forge.on(host, logins, checks);
  const propose = (name: string, description: string, from?: 'branch' | 'fork'): Promise<Change> =>
    host.propose(
      name.toLowerCase(),
      (desk) => writeFile(join(desk, 'manifests', `${name}.yaml`), group(name, description)),
      from,
    );
  const live = async (name: string, at = workspace): Promise<string | undefined> => {
    const { body } = await at.call('GET', `/settings/usergroups?name=${name}`);
    return body.results[0]?.description;
  };
  /** A person changes a group at the service. */
  const edit = async (name: string, fields: object): Promise<void> => {
    const { body } = await workspace.call('GET', `/settings/usergroups?name=${name}`);
    await workspace.call('PUT', `/settings/usergroups/${body.results[0].guid}`, { name, ...fields });
  };
  /** Proposes, has it planned, and merges it. */
  const merged = async (name: string, how: Merging = 'merge'): Promise<{ change: Change; commit: string }> => {
    const change = await propose(name, 'one');
    expect(await runs.change(change)).toMatchObject({ plan: { code: 0 } });
    return { change, commit: await host.merge(change, how) };
  };
  return { host, runs, propose, live, edit, merged, middle, prod, secret: logins.dev.password };
}
