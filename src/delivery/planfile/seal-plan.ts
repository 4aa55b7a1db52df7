import { DexsyncError } from '#base/errors.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import type { Plan } from '#core/model/plan.js';
import type { Host } from '#project/host.js';
import { digestText, planKey, sign } from './signature.js';

/** A plan with its digest, and with a signature if DEXSYNC_PLAN_KEY is set: what a plan file contains. */
export interface SealedPlan extends Plan {
  readonly digest: string;
  readonly hmac?: string;
}

/** Seals a plan so that it can be applied later. Throws USAGE and SECRET_RECORDED for one that cannot be saved. */
export function sealPlan(plan: Plan, { variables, secrets }: Pick<Host, 'variables' | 'secrets'>): SealedPlan {
  const outside = sourceOutside(plan);
  if (outside !== undefined) throw outside;
  const sealed = { ...plan, ...seal(digestText(digestOfPlan(plan)), variables) };
  secrets.refuse(JSON.stringify(sealed), 'The saved plan');
  return sealed;
}

/** The digest, and its signature if there is a key. */
export function seal(digest: string, variables: Host['variables']): Pick<SealedPlan, 'digest' | 'hmac'> {
  const key = planKey(variables);
  return { digest, ...(key === undefined ? {} : { hmac: sign(digest, key) }) };
}

/** Refuses sources outside the project: an apply of the saved plan reads them again, from the project. */
function sourceOutside({ steps }: Plan): DexsyncError | undefined {
  for (const { address, writes } of steps) {
    for (const write of writes) {
      // The very file of a release is known by its content.
      if (
        write.verb !== 'import' ||
        write.request.released !== undefined ||
        !/^(\.\.(\/|$)|\/|[A-Za-z]:)/.test(write.request.path)
      )
        continue;
      const message = `${address} reads a file outside the project folder, so this plan cannot be saved.`;
      return new DexsyncError('USAGE', message, { hint: 'Move the file into the project, or apply without saving.' });
    }
  }
  return undefined;
}
