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
 * Keeps in mind which workspace an environment led to, for commands that read nothing but local files and must not log in
 * to learn it. Where it cannot be kept, those log in.
 */
export async function rememberWorkspace(config: Config, environment: Environment, identity: string): Promise<void> {
  // The configuration tells, and login held it to that.
  if (environment.workspace === 'remote' && environment.workspaceId !== undefined) return;
  const key = workspaceKey(environment);
  const path = memoryOf(config, key);
  if ((await recallWorkspace(path, key)) === identity) return;
  try {
    await makeFolder(join(path, '..'), 0o700);
    await replaceFile(path, `${JSON.stringify({ key, identity })}\n`, { newMode: 0o600 });
  } catch {
    // A disk that takes nothing must not keep a command from reading the workspace.
  }
}

/** The identity of the workspace that an environment leads to, without a request; undefined where only a login can tell. */
export async function knownWorkspace(config: Config, place: WorkspacePlace): Promise<string | undefined> {
  const { key, identity } = place;
  if (identity !== undefined) return identity;
  return key === undefined ? undefined : recallWorkspace(memoryOf(config, key), key);
}

/** An embedded workspace that was never started has no data, and nothing was ever applied to it. */
export const isUnused = async ({ database }: WorkspacePlace): Promise<boolean> =>
  database !== undefined && (await stat(database).catch(() => undefined)) === undefined;

/** A file for each way to reach a workspace: commands that only read may log in as somebody else. */
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
