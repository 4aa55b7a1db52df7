import { withHint } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { numberAndMaker } from '#core/engine/decision.js';
import { copiesText } from '#core/engine/resolve-duplicates.js';
import type { Observed } from '#core/model/observation.js';
import type { Event } from '#core/stream/event.js';
import type { Connection } from '#project/connection/connection.js';
import type { Copied } from '#service/find-copies.js';
import { type Failure, failure } from './failure.js';

/** Returns the failure of a creation that was delivered more than once, or whose name another object has. */
export function copiedFailure({ made, copies, others }: Copied): Failure {
  const [message, hint] =
    copies.length > 0
      ? [copiesText(made, copies), REPEATED_REQUESTS]
      : [
          othersText(made, others),
          'Someone created it meanwhile, or the list that was read before did not show it. The next plan shows how to choose one.',
        ];
  return failure(new DexsyncError('CREATED_TWICE', message, { hint }));
}

const REPEATED_REQUESTS =
  'Something on the way to the service repeats requests. The next plan shows what can be done about the copy.';

function othersText({ name }: Observed, others: readonly Observed[]): string {
  const which = others.map(numberAndMaker).filter((text) => text !== '');
  const known = which.length === 0 ? '' : ` (${which.join('; ')})`;
  const count = others.length === 1 ? 'another object' : `${others.length} other objects`;
  return `It was created, and ${count} named "${name}" that the plan did not see ${others.length === 1 ? 'is' : 'are'} in the workspace${known}.`;
}

/** Warns that nobody looked for copies, since the steps themselves succeeded. */
export const copiesUnchecked = (error: unknown): Event => {
  const message = `It was not checked whether the service created objects twice: ${failure(error).message}`;
  const diagnostic = { severity: 'warning', code: 'copies-unchecked', message } as const;
  return { type: 'diagnostic', diagnostic: withHint(diagnostic, 'The next plan shows any copy.') };
};

/** Refuses to spend the reserve of the daily quota on looking for copies. */
export function refuseBelowReserve(
  requests: number,
  { client, keepRequests }: Pick<Connection, 'client' | 'keepRequests'>,
): void {
  const { remaining } = client.usage;
  if (requests === 0 || remaining === null || remaining - requests >= keepRequests) return;
  const left = `${remaining} ${remaining === 1 ? 'request is' : 'requests are'} left`;
  throw new DexsyncError('QUOTA_EXHAUSTED', `${left}, and ${keepRequests} are reserved (\`keepRequests\`).`);
}
