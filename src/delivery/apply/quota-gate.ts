import { setTimeout as sleep } from 'node:timers/promises';
import { withHint } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { pricePlan } from '#core/engine/price.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Step } from '#core/model/plan.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';

/** Milliseconds that allow for a service whose clock is behind ours. */
const AFTER_RESET = 5_000;

/**
 * Lets a step begin if it leaves the reserve of the daily quota untouched, so that an apply ends between steps and not
 * within one. Otherwise throws QUOTA_EXHAUSTED, or waits for the reset if that was requested.
 */
export function quotaGate(
  jobs: readonly JobFacts[],
  { client, keepRequests }: Pick<Connection, 'client' | 'keepRequests'>,
  host: Host,
): (step: Step) => Promise<() => void> {
  const underWay = { objects: 0, imports: 0 };
  let ended: (() => void)[] = [];
  const available = (): number => {
    const { remaining, reset } = client.usage;
    const isOver = reset !== null && Date.parse(reset) + AFTER_RESET <= host.clock().getTime();
    return remaining === null || isOver ? Number.POSITIVE_INFINITY : remaining - keepRequests;
  };
  const end = (kind: keyof typeof underWay, price: number) => () => {
    underWay[kind] -= price;
    const waiting = ended;
    ended = [];
    for (const go of waiting) go();
  };
  const refuse = reportQuotaOnce(host);
  return async (step) => {
    const price = pricePlan([step], jobs).min;
    for (;;) {
      if (price === 0 || price + underWay.objects + underWay.imports <= available()) break;
      // Running steps may take fewer requests than expected. Imports are not awaited: they await one another.
      if (underWay.objects > 0) await new Promise<void>((go) => ended.push(go));
      else await afterReset(client.usage, keepRequests, host).catch(refuse);
    }
    const kind = step.action === 'import' ? 'imports' : 'objects';
    underWay[kind] += price;
    return end(kind, price);
  };
}

/** Reports a used-up quota once, apart from the steps, since it is not a failure of one of them. */
function reportQuotaOnce(host: Host): (error: unknown) => never {
  let isTold = false;
  return (error) => {
    if (!isTold && error instanceof DexsyncError && error.code === 'QUOTA_EXHAUSTED') {
      isTold = true;
      const finding = withHint({ severity: 'error', code: 'quota', message: error.message }, error.hint);
      host.emit({ type: 'diagnostic', diagnostic: finding });
    }
    throw error;
  };
}

async function afterReset(
  { remaining, reset }: Connection['client']['usage'],
  keep: number,
  host: Host,
): Promise<void> {
  const until = Date.parse(reset ?? '') + AFTER_RESET - host.clock().getTime();
  if (host.waitForQuota !== true || Number.isNaN(until)) throw spent(remaining, reset, keep, host.clock());
  host.emit({ type: 'waiting', seconds: Math.ceil(until / 1000), because: 'quota' });
  await sleep(Math.max(0, until), undefined, { signal: host.signal }).catch((cause: unknown) => {
    throw new DexsyncError('INTERRUPTED', 'Interrupted while waiting for the daily quota to reset.', { cause });
  });
}

function spent(remaining: number | null, reset: string | null, keep: number, now: Date): DexsyncError {
  const left = `${remaining} ${remaining === 1 ? 'request is' : 'requests are'} left, ${keep} are reserved (\`keepRequests\`)`;
  return new DexsyncError('QUOTA_EXHAUSTED', `${usedUpText(reset, now)} Stopped between two steps: ${left}.`, {
    hint: 'Run the command again after the reset: steps that are done are not repeated. `--wait-for-quota` waits for it.',
  });
}

/** `Daily quota used up until 08:00 UTC (in 12 h 44 min).` */
function usedUpText(reset: string | null, now: Date): string {
  if (reset === null) return 'Daily quota used up; the service does not report when it is reset.';
  const at = Date.parse(reset);
  if (Number.isNaN(at)) return `Daily quota used up until ${reset}.`;
  const minutes = Math.max(1, Math.ceil((at - now.getTime()) / 60_000));
  const inWords = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `Daily quota used up until ${new Date(at).toISOString().slice(11, 16)} UTC (in ${inWords}).`;
}
