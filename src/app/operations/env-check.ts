import type { Capability } from '#core/model/observation.js';
import { type TriedTarget, tryTargets } from '#delivery/notify/listener.js';
import { isProduction, resolveEnvironment } from '#project/config/environment.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { collectionOf } from '#service/collection.js';
import { readRelease } from '#service/read-service-release.js';

/** Facts about an environment, and what can be done in it. */
export interface EnvironmentFacts {
  readonly environment: string;
  readonly url: string;
  readonly production: boolean;
  readonly profile: string;
  readonly workspace: { readonly id: string; readonly name: string };
  readonly user: string;
  /** Where its ledger and its locks are kept. */
  readonly ledger: string;
  /** Null if the service does not report it. */
  readonly release: string | null;
  readonly requests: {
    readonly limit: number | null;
    readonly remaining: number | null;
    readonly reset: string | null;
  };
  readonly capabilities: Readonly<Record<string, Capability>>;
  /** The targets of notifications that got a test message, if that was asked for. */
  readonly notified?: readonly TriedTarget[];
}

/** The environment to check. */
export interface CheckEnvironmentOptions extends ProjectOptions {
  /** Whether those who are notified of the environment get a test message. */
  readonly notify?: boolean;
}

/** Logs in to an environment and describes it. Sends no write; costs one request if there is a release. */
export async function checkEnvironment(
  { notify = false, ...options }: CheckEnvironmentOptions,
  host: Host,
): Promise<EnvironmentFacts> {
  const config = await openConfig(options, host);
  const settings = resolveEnvironment(config, options.environment, host.variables, 'read');
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const { client, workspace, environment, login, kept } = connection;
    const release = (await readRelease(client)) ?? null;
    const { requestLimit } = await client.workspace();
    const { remaining, reset } = client.usage;
    const capabilities = config.catalog.kinds.map(({ name, collection }) => [
      name,
      collectionOf(client, collection).can,
    ]);
    return {
      environment,
      url: login.url,
      production: isProduction(settings),
      profile: client.profile.name,
      workspace: { id: workspace.id, name: workspace.name },
      user: login.email,
      ledger: kept.place,
      release,
      requests: { limit: requestLimit ?? null, remaining, reset },
      capabilities: Object.fromEntries(capabilities),
      ...(notify ? { notified: await tryTargets(environment, { config, host }) } : {}),
    };
  });
}
