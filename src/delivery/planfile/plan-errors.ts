import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import type { Plan } from '#core/model/plan.js';
import type { AppliedPlan } from '#ledger/ledger.js';
import type { Connection } from '#project/connection/connection.js';
import { nameInLedger } from './plan-reference.js';
import type { Signature } from './signature.js';

/** PLAN_INVALID: the file was not written by `plan --out`. */
export const notAPlan = (file: string, why: string, hint = SAVE_ONE, cause?: unknown): DexsyncError =>
  new DexsyncError('PLAN_INVALID', `${file} is not a saved plan: ${why}`, { hint, cause });

const SAVE_ONE = '`dexsync plan --out FILE` saves a plan. Give manifests with `-f`.';

/** PLAN_ALTERED: the digest in the file is not that of its plan. */
export const planAltered = (file: string): DexsyncError =>
  new DexsyncError('PLAN_ALTERED', `${file} was changed after it was saved: its digest does not match its content.`, {
    hint: 'Save the plan again with `dexsync plan --out`. To change a plan, change the manifests.',
  });

/** Throws PLAN_UNTRUSTED where a key is set and what is to be applied is not signed with it. */
export function refuseUntrusted(signature: Signature, file: string): void {
  if (signature === 'missing') throw notSigned(file);
  if (signature === 'wrong') throw signedByOther(file);
}

/** PLAN_UNTRUSTED: only signed plans are applied where a key is set. */
const notSigned = (file: string): DexsyncError =>
  new DexsyncError(
    'PLAN_UNTRUSTED',
    `${file} is not signed, but DEXSYNC_PLAN_KEY is set, so only signed plans are applied.`,
    {
      hint: 'Save the plan with the same DEXSYNC_PLAN_KEY set, so that it is signed.',
    },
  );

/** PLAN_UNTRUSTED: the plan was signed with another key. */
const signedByOther = (file: string): DexsyncError =>
  new DexsyncError('PLAN_UNTRUSTED', `The signature of ${file} was not made with this DEXSYNC_PLAN_KEY.`, {
    hint: 'Apply only plans of your own pipeline; save the plan again with the same key.',
  });

/** PLAN_OTHER_WORKSPACE: the environment leads to another workspace than that of the plan. */
export function otherWorkspace(
  file: string,
  { workspace, environment: meant }: Plan,
  { environment, leadsTo }: { readonly environment: string; readonly leadsTo: string },
): DexsyncError {
  const made = `environment "${meant}" (workspace "${workspace.name}", ${workspace.identity})`;
  const isSame = meant === environment;
  const message = `${file} is a plan for ${made}${isSame ? ', which now' : `; environment "${environment}"`} leads to ${leadsTo}.`;
  const again = `\`dexsync plan --env ${shellWord(environment)} --out FILE\` makes a plan for ${isSame ? 'where it leads now' : `"${environment}"`}.`;
  const hint = isSame ? again : `Leave out \`--env\`, or name "${meant}" there. ${again}`;
  return new DexsyncError('PLAN_OTHER_WORKSPACE', message, { hint });
}

/** Where a connection leads, for `otherWorkspace`. */
export const leadingTo = ({ environment, workspace }: Pick<Connection, 'environment' | 'workspace'>) => ({
  environment,
  leadsTo: `workspace "${workspace.name}" (${workspace.identity})`,
});

/** PLAN_APPLIED: a plan can be applied only once, even if that apply did not finish. */
export function appliedBefore(file: string, plan: Plan, { at, by, isEnded }: AppliedPlan): DexsyncError {
  const when = `${timeText(at)}${by === undefined ? '' : ` by ${by}`}`;
  const where = `environment "${plan.environment}"`;
  const hint = `${planAgain(file, plan)} A new plan contains the remaining steps.`;
  return isEnded
    ? new DexsyncError('PLAN_APPLIED', `${file} was applied to ${where} on ${when}.`, { hint })
    : new DexsyncError(
        'PLAN_APPLIED',
        `${file} was partly applied to ${where} on ${when}: that apply did not finish.`,
        {
          hint,
        },
      );
}

/** Returns the hint for a plan that is no longer valid. */
export function planAgain(file: string, plan: Pick<Plan, 'promoted' | 'environment'>): string {
  const name = nameInLedger(file);
  const command = commandOf(plan);
  return name === undefined
    ? `Run \`${command} --out ${shellWord(file)}\` again and review it.`
    : `Run \`${command} --out ledger:NAME\` with another name and review it; \`dexsync plan remove ${file}\` removes this plan.`;
}

/** Returns the command that creates such a plan, without the options that narrow it. */
function commandOf({ promoted, environment }: Pick<Plan, 'promoted' | 'environment'>): string {
  if (promoted === undefined) return 'dexsync plan';
  if (promoted.release !== undefined)
    return `dexsync promote --release ${shellWord(promoted.release)} --to ${shellWord(environment)}`;
  const as = promoted.as === 'applied' ? ' --from-applied' : '';
  return `dexsync promote --from ${shellWord(promoted.environment)} --to ${shellWord(environment)}${as}`;
}

/** `2026-11-30 at 10:20 UTC` */
export const timeText = (at: string): string => `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`;
