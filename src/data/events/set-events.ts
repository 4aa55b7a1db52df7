import { DexsyncError } from '#base/errors.js';
import type { Host } from '#project/host.js';
import type { OutboundEvents } from '#service/outbound-events.js';
import { ServiceError } from '#service/service-error.js';
import type { Target } from './event-targets.js';

/** Wire-facts 6.1: only an administrator of the integration may reconcile. */
const NOT_ADMINISTRATOR = 4303;

interface Setting {
  readonly events: OutboundEvents;
  readonly host: Host;
}

/** Sends the PUTs one after another. A failure says how many succeeded before; nothing is undone. */
export async function setEvents(
  targets: readonly Target[],
  integration: string,
  { events, host }: Setting,
): Promise<void> {
  for (const [index, target] of targets.entries()) {
    if (host.signal.aborted) {
      throw new DexsyncError('INTERRUPTED', `Interrupted: ${index} of ${targets.length} changes were made.`, {
        hint: 'Repeat the command: completed changes are not sent again.',
      });
    }
    try {
      await setOnce(target);
    } catch (error) {
      throw await explainFailure(error, { done: index, all: targets.length }, integration, events);
    }
  }
}

/** Sends a write of one value again if nobody knows whether it was done: the second changes nothing. */
async function setOnce({ set }: Target): Promise<void> {
  try {
    await set();
  } catch (error) {
    if (!(error instanceof DexsyncError) || error.code !== 'WRITE_UNANSWERED') throw error;
    await set();
  }
}

async function explainFailure(
  error: unknown,
  { done, all }: { readonly done: number; readonly all: number },
  integration: string,
  events: OutboundEvents,
): Promise<unknown> {
  if (!(error instanceof DexsyncError)) return error;
  const so = all > 1 ? ` ${done} of ${all} changes were made before.` : '';
  if (error instanceof ServiceError && error.has(NOT_ADMINISTRATOR)) {
    const names = await events.administrators().catch(() => []);
    const who = names.length === 0 ? '; this user cannot see who they are.' : `: ${names.join(', ')}.`;
    return new DexsyncError('PERMISSION', `${error.message}${so}`, {
      hint: `Only the administrators of OutboundIntegration/${integration} may do this${who}`,
      cause: error,
    });
  }
  const hint = 'Repeat the command: completed changes are not sent again.';
  return new DexsyncError(error.code, `${error.message}${so}`, { hint: error.hint ?? hint, cause: error });
}
