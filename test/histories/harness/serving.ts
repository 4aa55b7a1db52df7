import { readArguments } from '../../../dist/emulator/arguments.js';
import { type Ready, type Sources, serve, type WorkspaceServer } from '../../../dist/emulator/serve.js';
import type { Dialect } from '../model/kinds.js';

export const PASSWORD = 'sentinel-Pa55word';

/** A service of this build, with requests for more days than a history has. */
export const openServing = (dialect: Dialect, sources: Sources): Promise<WorkspaceServer> =>
  serve(
    readArguments(['--dialect', dialect, '--password', PASSWORD, '--quota', '10000000']) as never,
    () => undefined,
    sources,
  );

/** What a clone needs to reach a service as an environment. */
export const variablesOf = (environment: 'one' | 'two', dialect: Dialect, ready: Ready): Record<string, string> => {
  const name = environment.toUpperCase();
  return {
    [`${name}_URL`]: ready.url,
    [`DEXSYNC_${name}_PROFILE`]: dialect,
    [`DEXSYNC_${name}_EMAIL`]: ready.email,
    [`DEXSYNC_${name}_PASSWORD`]: PASSWORD,
    [`DEXSYNC_${name}_WORKSPACE_ID`]: String(ready.workspaceId),
  };
};
