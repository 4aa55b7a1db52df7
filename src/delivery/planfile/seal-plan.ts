import { DexsyncError } from '#base/errors.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import type { Plan } from '#core/model/plan.js';
import { NAMESPACES } from '#core/model/verdict.js';
import type { Host } from '#project/host.js';
import { digestText, planKey, sign, signedText } from './signature.js';

/** A plan with its digest, and with a signature if DEXSYNC_PLAN_KEY is set: what a plan file contains. */
export interface SealedPlan extends Plan {
  readonly digest: string;
  readonly hmac?: string;
  /** The signature of a pipeline with its SSH key. */
  readonly signed?: string;
}

/** Seals a plan so that it can be applied later. Throws USAGE and SECRET_RECORDED for one that cannot be saved. */
export function sealPlan(plan: Plan, { variables, secrets }: Pick<Host, 'variables' | 'secrets'>): SealedPlan {
  const outside = sourceOutside(plan);
  if (outside !== undefined) throw outside;
  const sealed = { ...plan, ...seal(digestText(digestOfPlan(plan)), variables) };
  secrets.refuse(JSON.stringify(sealed), 'The saved plan');
  return sealed;
}

/** The variable that names the SSH key of a pipeline. */
const SIGNING_KEY = 'DEXSYNC_PLAN_SIGNING_KEY';

/** Signs a sealed plan if the pipeline has an SSH key for it. Throws USAGE if that makes no signature. */
export async function signPlan(sealed: SealedPlan, host: Host): Promise<SealedPlan> {
  const file = host.variables[SIGNING_KEY];
  if (!file) return sealed;
  const { readSigningKey, signWith } = await import('#project/reviews/sign.js');
  const signed = await signWith(await readSigningKey(file, host), signedText(sealed.digest), NAMESPACES.plan, host);
  return { ...sealed, signed };
}

/** Warns that the symmetric key goes: everybody who can check a plan with it can make one. */
export function warnOfPlanKey({ variables, emit }: Pick<Host, 'variables' | 'emit'>): void {
  if (planKey(variables) === undefined) return;
  const message =
    'DEXSYNC_PLAN_KEY will not be checked by later versions: every job that checks plans with it can make them.';
  const hint = `Ask for signed approvals with \`reviews\` in the configuration, and let ${SIGNING_KEY} name the SSH key of the pipeline that makes plans.`;
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'plan-key', message, hint } });
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
