import { type JsonObject, objectsIn } from '#core/model/json.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import type { Reader } from '#service/client.js';
import { saysNoEndpoint } from '#service/refusal-meaning.js';

/** Requests of one user through one integration since the last reset of the quota. */
export interface QuotaUser {
  readonly user: string;
  /** The name in the requests' usage header; null if they had none. */
  readonly integration: string | null;
  readonly requests: number;
}

/** Requests of the day, and who used them. */
export interface Quota {
  readonly environment: string;
  readonly workspace: string;
  /** Null if the service does not report it. */
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When the quota is reset. */
  readonly reset: string | null;
  /** Most requests first. */
  readonly users: readonly QuotaUser[];
  /** Whether the usage log was read to its end, in pages of a request each; `absent`: the service keeps none. */
  readonly log: 'whole' | 'cut' | 'absent';
  readonly used: number;
}

const MOST_PAGES = 25;
const DAY = 24 * 60 * 60 * 1000;
const USAGE_LOG = '/settings/recentactivities/apiusages';

/** Reads how much of the daily quota is left, and who used it, from the service's log (interface 4.6). */
export async function quota(options: ProjectOptions, host: Host): Promise<Quota> {
  const config = await openConfig(options, host);
  return withConnection(config, { ...options, access: 'read' }, host, async ({ client, environment, workspace }) => {
    const { requestLimit } = await client.workspace();
    const reset = Date.parse(client.usage.reset ?? '');
    const since = new Date((Number.isNaN(reset) ? host.clock().getTime() : reset) - DAY);
    const { entries, log } = await readLog(client, since).catch((error: unknown) => {
      if (saysNoEndpoint(error)) return NO_LOG;
      throw error;
    });
    return {
      environment,
      workspace: workspace.name,
      limit: requestLimit ?? null,
      remaining: client.usage.remaining,
      reset: client.usage.reset,
      users: usersOf(entries),
      log,
      used: client.usage.used,
    };
  });
}

interface UsageLog {
  readonly entries: readonly JsonObject[];
  readonly log: Quota['log'];
}

const NO_LOG: UsageLog = { entries: [], log: 'absent' };

async function readLog(reader: Reader, since: Date): Promise<UsageLog> {
  const dateTimeFrom = since.toISOString().replace(/\.\d+/, '');
  const limit = reader.profile.pageLimit;
  const entries: JsonObject[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { results } = await reader.get(USAGE_LOG, { offset: entries.length, limit, dateTimeFrom });
    const found = objectsIn(results);
    entries.push(...found);
    if (found.length < limit) return { entries, log: 'whole' };
  }
  return { entries, log: 'cut' };
}

function usersOf(entries: readonly JsonObject[]): QuotaUser[] {
  const counts = new Map<string, QuotaUser>();
  for (const { userEmail, usageReason } of entries) {
    const user = String(userEmail ?? '');
    const integration = typeof usageReason === 'string' ? usageReason : null;
    const key = JSON.stringify([user, integration]);
    counts.set(key, { user, integration, requests: (counts.get(key)?.requests ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.requests - a.requests);
}
