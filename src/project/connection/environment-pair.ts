import { DexsyncError } from '#base/errors.js';
import { findSettings } from '../config/environment-settings.js';
import type { Config } from '../config/load-config.js';
import type { Host } from '../host.js';
import type { Connection } from './connection.js';

/** Two environments, as they were named. */
export interface EnvironmentPair {
  readonly from: string;
  readonly to: string;
}

/** Throws UNKNOWN_NAME, and USAGE if both names are the same, before any request. */
export function checkPair({ from, to }: EnvironmentPair, config: Config, { variables }: Pick<Host, 'variables'>): void {
  for (const name of [from, to]) findSettings(config, name, variables);
  if (from !== to) return;
  throw new DexsyncError('USAGE', `Both environments are "${from}".`, {
    hint: '`dexsync env list` shows the environments.',
  });
}

/** Throws USAGE if both names lead to one workspace. */
export function refuseSameWorkspace(
  { from, to }: EnvironmentPair,
  before: Connection['workspace']['identity'],
  { workspace }: Pick<Connection, 'workspace'>,
): void {
  if (before !== workspace.identity) return;
  const message = `The environments "${from}" and "${to}" lead to the same workspace, "${workspace.name}".`;
  throw new DexsyncError('USAGE', message, {
    hint: '`dexsync env list` shows where each leads; `workspaceId` in its credentials chooses the workspace.',
  });
}
