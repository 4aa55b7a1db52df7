import type { Plan } from '#core/model/plan.js';
import { saveLastSeen } from '#ledger/last-seen.js';
import { authorText } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import type { Drift } from './drift-in-plan.js';

/** Notes for `status` what a plan found in the workspace, if it covers all manifests. */
export async function noteSeen(
  { selection, requests: { remaining } }: Pick<Plan, 'selection' | 'requests'>,
  drift: () => Pick<Drift, 'objects' | 'unknown'>,
  { kept, environment }: Pick<Connection, 'kept' | 'environment'>,
  { options, config, host }: { readonly options: ProjectOptions; readonly config: Config; readonly host: Host },
): Promise<void> {
  if (selection !== undefined || options.files !== undefined) return;
  const { objects, unknown } = drift();
  await saveLastSeen(kept.seen, {
    ...{ at: host.clock().toISOString(), drifted: objects.length, unknown: unknown.length, remaining },
    by: authorText(currentAuthor(config, environment, host)),
  });
}
