import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile } from '#base/files/replace-file.js';
import { digest } from '#core/engine/normal-form.js';
import { isObject } from '#core/model/json.js';
import { dataFolder, type Environment } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { type WorkspacePlace, workspaceKey } from '../config/workspace-place.js';

/**
 * Remembers the workspace of an environment, so that commands that read only local files find it without a login. If it
 * cannot be remembered, they log in.
 */
export async function rememberWorkspace(config: Config, environment: Environment, identity: string): Promise<void> {
  // The configuration names it, and the login verified that.
  if (environment.workspace === 'remote' && environment.workspaceId !== undefined) return;
  const key = workspaceKey(environment);
  const path = memoryOf(config, key);
  if ((await recallWorkspace(path, key)) === identity) return;
  try {
    await makeFolder(join(path, '..'), 0o700);
    await replaceFile(path, `${JSON.stringify({ key, identity })}\n`, { newMode: 0o600 });
  } catch {
    // An unwritable disk must not keep a command from reading the workspace.
  }
}

/** The identity of an environment's workspace, without a request; undefined if only a login can find it. */
export async function knownWorkspace(config: Config, place: WorkspacePlace): Promise<string | undefined> {
  const { key, identity } = place;
  if (identity !== undefined) return identity;
  return key === undefined ? undefined : recallWorkspace(memoryOf(config, key), key);
}

/** Whether an embedded workspace was never started: it has no data, and nothing was ever applied to it. */
export const isUnused = async ({ database }: WorkspacePlace): Promise<boolean> =>
  database !== undefined && (await stat(database).catch(() => undefined)) === undefined;

/** The file for one way to reach a workspace: commands that only read may log in as another user. */
const memoryOf = (config: Config, key: string): string =>
  join(dataFolder(config), 'workspaces', `${digest(key).slice(0, 16)}.json`);

async function recallWorkspace(path: string, key: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isObject(value) && value.key === key && typeof value.identity === 'string' ? value.identity : undefined;
  } catch {
    return undefined;
  }
}
