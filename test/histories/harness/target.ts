import type { Sources, WorkspaceServer } from '../../../dist/emulator/serve.js';
import { openService, type Service } from './service.js';
import { openServing, PASSWORD, variablesOf } from './serving.js';

/** Another workspace, which is promoted to. */
export interface Target {
  readonly service: Service;
  /** What a clone needs to reach it as the environment `two`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly faults: WorkspaceServer['faults'];
  close(): Promise<void>;
}

export async function openTarget(sources: Sources): Promise<Target> {
  const { ready, faults, close } = await openServing('reference', sources);
  return {
    service: await openService({ url: ready.url, password: PASSWORD }, 'reference'),
    variables: variablesOf('two', 'reference', ready),
    faults,
    close,
  };
}
