import type { Connection } from '../connection/connection.js';
import { withHint } from '../diagnostics.js';
import { copiesText } from '../engine/twin.js';
import { DexsyncError } from '../errors.js';
import type { Copied } from '../service/find-copies.js';
import type { Event } from '../stream/event.js';
import { type Failure, failure } from './failure.js';

/** What a creation comes to that was delivered more than once. */
export const copiedFailure = ({ made, copies }: Copied): Failure =>
  failure(
    new DexsyncError('CREATED_TWICE', copiesText(made, copies), {
      hint: 'Something on the way to the service repeats requests. The next plan shows what can be done about the copy.',
    }),
  );

/** Nobody looked: said so, since the steps themselves succeeded. */
export const copiesUnchecked = (error: unknown): Event => {
  const message = `It was not checked whether the service created objects twice: ${failure(error).message}`;
  const diagnostic = { severity: 'warning', code: 'copies-unchecked', message } as const;
  return { type: 'diagnostic', diagnostic: withHint(diagnostic, 'The next plan shows any copy.') };
};

/** The reserve of the day is not spent on looking. */
export function refuseBelowReserve(
  requests: number,
  { client, keepRequests }: Pick<Connection, 'client' | 'keepRequests'>,
): void {
  const { remaining } = client.usage;
  if (requests === 0 || remaining === null || remaining - requests >= keepRequests) return;
  const left = `${remaining} ${remaining === 1 ? 'request is' : 'requests are'} left`;
  throw new DexsyncError('QUOTA_EXHAUSTED', `${left}, and ${keepRequests} are reserved (\`keepRequests\`).`);
}
