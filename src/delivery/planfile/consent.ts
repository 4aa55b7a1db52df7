import { DexsyncError } from '#base/errors.js';
import { firstAndMore } from '#core/model/address.js';
import { copiesRemovedUnasked, hasWrites, type Plan, takenOverUnasked } from '#core/model/plan.js';
import { isProduction, resolveEnvironment } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { Connection } from '#project/connection/connection.js';
import { type Place, placeOf } from '#project/connection/place.js';
import type { Host } from '#project/host.js';

/** Whether somebody agrees to a write: `given` beforehand, or asked. `impossible`: there is nobody to ask. */
export type Confirmation<Asked> = 'given' | 'impossible' | Ask<Asked>;

/** Asks a person, who sees where it would be done. Anything but true is a no. */
export type Ask<Asked> = (asked: Asked, place: Place) => Promise<boolean>;

interface Confirming<Asked> {
  readonly environment?: string | undefined;
  readonly confirm: Confirmation<Asked>;
}

/**
 * How a command that asks nothing elsewhere asks in a production workspace, where nothing is written without a word. To be
 * called before a request is spent: throws CONFIRMATION_NEEDED where nobody can be asked. `what`: the beginning of a sentence.
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
 * Nothing is taken over and no copy removed unasked: throws CONFIRMATION_NEEDED where nobody agreed when the plan was made and
 * nobody is asked now.
 */
export function refuseUnasked({ steps }: Plan, attended: 'yes' | 'no'): void {
  if (attended === 'yes') return;
  const [adopted, copied] = [takenOverUnasked(steps), copiesRemovedUnasked(steps)].map(firstAndMore);
  if (adopted) throw unconfirmed(`adopts or changes ${adopted}, which this stack did not create`, '--adopt');
  if (copied) throw unconfirmed(`removes an unused copy of ${copied}`, '--remove-copies');
}

const unconfirmed = (does: string, option: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `The plan ${does}, and nobody has confirmed that.`, {
    hint: `Apply it at a terminal without \`--yes\`, or plan again with \`${option}\`.`,
  });

/** Who is asked before a plan is carried out. */
export interface Asking {
  /** Asked once, with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: Ask<Plan>;
  /** Throws where nobody can be asked. Called once it is known that a saved plan belongs here, before any request. */
  readonly requireAnswer?: () => void;
  /** `no`: nobody thinks it over, so nothing is read once more. */
  readonly attended?: 'yes' | 'no' | undefined;
}

/** Asks, unless there is nothing to ask about. What was changed while somebody thought it over is not overwritten. */
export async function isAgreed(
  plan: Plan,
  { confirm, attended }: Asking,
  connection: Connection,
  host: Host,
): Promise<boolean> {
  if (!hasWrites(plan)) return true;
  if (!(await confirm(plan, placeOf(connection)))) return false;
  if (attended === 'no') return true;
  const { refuseStale } = await import('./recheck.js');
  await refuseStale(plan, connection, host);
  return true;
}
