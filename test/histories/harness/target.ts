import { type Serving, serve } from '../../../dist/workspace/serve.js';
import { openService, type Service } from './service.js';
import { PASSWORD } from './site.js';

/** Another workspace, which is promoted to. */
export interface Target {
  readonly service: Service;
  /** What a clone needs to reach it as the environment `two`. */
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openTarget(...given: Parameters<typeof serve>): Promise<Target> {
  const serving: Serving = await serve(...given);
  const { url, email, workspaceId } = serving.ready;
  return {
    service: await openService({ url, password: PASSWORD }, 'reference'),
    variables: {
      TWO_URL: url,
      DEXSYNC_TWO_PROFILE: 'reference',
      DEXSYNC_TWO_EMAIL: email,
      DEXSYNC_TWO_PASSWORD: PASSWORD,
      DEXSYNC_TWO_WORKSPACE_ID: String(workspaceId),
    },
    close: () => serving.close(),
  };
}
