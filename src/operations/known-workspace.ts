import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder, type Environment } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import { keyOf, type WorkspacePlace } from '../config/workspace-place.js';
import { makeFolder } from '../make-folder.js';
import { isObject } from '../model/json.js';
import { replaceFile } from './replace-file.js';

/**
 * Keeps in mind which workspace an environment led to, for commands that read nothing but local files and must not log in
 * to learn it. Where it cannot be kept, those log in.
 */
export async function rememberWorkspace(config: Config, environment: Environment, identity: string): Promise<void> {
  // The configuration tells, and login held it to that.
  if (environment.workspace === 'remote' && environment.workspaceId !== undefined) return;
  const [path, key] = [memoryOf(config, environment.name), keyOf(environment)];
  if ((await remembered(path, key)) === identity) return;
  try {
    await makeFolder(join(path, '..'));
    await replaceFile(path, `${JSON.stringify({ key, identity })}\n`);
  } catch {
    // A disk that takes nothing must not keep a command from reading the workspace.
  }
}

/** The identity of the workspace that an environment leads to, without a request; undefined where only a login can tell. */
export async function knownWorkspace(config: Config, place: WorkspacePlace): Promise<string | undefined> {
  const { environment, key, identity } = place;
  if (identity !== undefined) return identity;
  return key === undefined ? undefined : remembered(memoryOf(config, environment), key);
}

/** An embedded workspace that was never started has no data, and nothing was ever applied to it. */
export const isUnused = async ({ database }: WorkspacePlace): Promise<boolean> =>
  database !== undefined && (await stat(database).catch(() => undefined)) === undefined;

const memoryOf = (config: Config, environment: string): string =>
  join(dataFolder(config), 'workspaces', `${encodeURIComponent(environment)}.json`);

async function remembered(path: string, key: string): Promise<string | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isObject(value) && value.key === key && typeof value.identity === 'string' ? value.identity : undefined;
  } catch {
    return undefined;
  }
}
