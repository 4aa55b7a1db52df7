import { DexsyncError } from '#base/errors.js';
import { firstAndMore } from '#core/model/address.js';
import { copiesRemovedUnasked, hasWrites, type Plan, takenOverUnasked } from '#core/model/plan.js';
import { isProduction, resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { Connection } from '#project/connection/connection.js';
import { connectionPlace, type Place } from '#project/connection/place.js';
import type { Host } from '#project/host.js';

/** How a write is confirmed: `given` beforehand, or asked. `impossible`: nobody can be asked. */
export type Confirmation<Asked> = 'given' | 'impossible' | Ask<Asked>;

/** Asks a person, who sees the place of the write. Any answer but true means no. */
export type Ask<Asked> = (asked: Asked, place: Place) => Promise<boolean>;

interface Confirming<Asked> {
  readonly environment?: string | undefined;
  readonly confirm: Confirmation<Asked>;
}

/**
 * Returns the confirmation of a command that asks only in production workspaces, where nothing is written unconfirmed.
 * Call it before any request: throws CONFIRMATION_NEEDED if nobody can be asked. `what`: the beginning of a sentence.
 */
export function confirmationIn<Asked>(
  config: Config,
  { environment, confirm }: Confirming<Asked>,
  what: string,
  host: Host,
): Ask<Asked> {
  const chosen = resolveEnvironment(config, environment, host.variables, 'write');
  if (!isProduction(chosen) || confirm === 'given') return async () => true;
  if (confirm !== 'impossible') return confirm;
  throw new DexsyncError(
    'CONFIRMATION_NEEDED',
    `Environment "${chosen.name}" is production: ${what} without confirmation.`,
    {
      hint: 'Run the command again with `--yes`, or at a terminal.',
    },
  );
}

/**
 * Throws CONFIRMATION_NEEDED for a plan that adopts objects or removes copies if nobody agreed when it was created and
 * nobody is asked now.
 */
export function refuseUnasked({ steps, promoted }: Plan, { attended }: Pick<Asking, 'attended'>): void {
  if (attended !== false) return;
  const [adopted, copied] = [takenOverUnasked(steps), copiesRemovedUnasked(steps)].map(firstAndMore);
  const whose = promoted?.release === undefined ? 'this stack did not create' : 'no release brought there before';
  if (adopted) throw unconfirmed(`adopts or changes ${adopted}, which ${whose}`, '--adopt');
  if (copied) throw unconfirmed(`removes an unused copy of ${copied}`, '--remove-copies');
}

const unconfirmed = (does: string, option: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `The plan ${does}, and nobody has confirmed that.`, {
    hint: `Apply it at a terminal without \`--yes\`, or plan again with \`${option}\`.`,
  });

/** How a plan is confirmed before it is applied. */
export interface Asking {
  /** Called once, with the plan that was shown. Any answer but true ends the operation without a write. */
  readonly confirm: Ask<Plan>;
  /** Throws if nobody can be asked. Called before any request, once a saved plan is known to belong here. */
  readonly requireAnswer?: () => void;
  /** False if nobody takes time to decide: nothing is read again then. */
  readonly attended?: boolean | undefined;
}

/** Asks, unless there is nothing to ask about. Throws PLAN_STALE for changes in the meantime. */
export async function isAgreed(
  plan: Plan,
  { confirm, attended }: Asking,
  connection: Connection,
  host: Host,
): Promise<boolean> {
  if (!hasWrites(plan)) return true;
  if (!(await confirm(plan, connectionPlace(connection)))) return false;
  if (attended === false) return true;
  const { refuseStale } = await import('./reread-plan.js');
  await refuseStale(plan, connection, host);
  return true;
}
