import type { Connection } from '../connection/connection.js';
import type { Stale } from '../engine/stale.js';
import { DexsyncError } from '../errors.js';
import type { Host } from '../host.js';
import type { AppliedPlan } from '../ledger/ledger.js';
import type { Plan } from '../model/plan.js';
import { shellWord } from './shell-word.js';

/** The file is nothing that `plan --out` wrote. */
export const notAPlan = (file: string, why: string, hint = SAVE_ONE, cause?: unknown): DexsyncError =>
  new DexsyncError('PLAN_INVALID', `${file} is no saved plan: ${why}`, { hint, cause });

const SAVE_ONE = '`dexsync plan --out FILE` saves one. Manifests are named with -f.';

/** PLAN_ALTERED: the digest in the file is not that of its plan. */
export const planAltered = (file: string): DexsyncError =>
  new DexsyncError('PLAN_ALTERED', `${file} is not as it was saved: its digest is that of another content.`, {
    hint: 'It was edited or damaged. Save the plan again with `dexsync plan --out`, and change manifests instead.',
  });

/** PLAN_UNTRUSTED: only signed plans are applied where a key is set. */
export const notSigned = (file: string): DexsyncError =>
  new DexsyncError('PLAN_UNTRUSTED', `${file} is not signed, and DEXSYNC_PLAN_KEY asks for plans that are.`, {
    hint: 'Save it with the same DEXSYNC_PLAN_KEY set, so that it is signed.',
  });

/** PLAN_UNTRUSTED: the signature is of another key. */
export const signedByOther = (file: string): DexsyncError =>
  new DexsyncError('PLAN_UNTRUSTED', `The signature of ${file} was not made with this DEXSYNC_PLAN_KEY.`, {
    hint: 'Apply plans of your own pipeline only; save it again with the key that applies it.',
  });

/** PLAN_OTHER_WORKSPACE: the environment leads elsewhere than the plan says. */
export function otherWorkspace(file: string, { workspace }: Plan, reached: Connection): DexsyncError {
  const made = `workspace "${workspace.name}" (${workspace.identity})`;
  const here = `workspace "${reached.workspace.name}" (${reached.workspace.identity})`;
  const message = `${file} was made for ${made}; environment "${reached.environment}" leads to ${here}.`;
  return new DexsyncError('PLAN_OTHER_WORKSPACE', message, {
    hint: 'Choose the environment of that workspace with --env, or plan for this one.',
  });
}

/** Applied once is applied for good, however far that apply came. */
export function appliedBefore(file: string, { workspace }: Plan, { at, by, ended }: AppliedPlan): DexsyncError {
  const when = `${at.slice(0, 10)} at ${at.slice(11, 16)} UTC${by === undefined ? '' : ` by ${by}`}`;
  const where = `workspace "${workspace.name}"`;
  const hint = `${planAgain(file)} A new plan holds what is left to do.`;
  return ended === 'yes'
    ? new DexsyncError('PLAN_APPLIED', `${file} was applied to ${where} on ${when}.`, { hint })
    : new DexsyncError('PLAN_APPLIED', `${file} was begun on ${when} in ${where}, and that apply did not finish.`, {
        hint,
      });
}

/** What to do about a plan that does not hold any more. */
export const planAgain = (file: string): string => `Run \`dexsync plan --out ${shellWord(file)}\` again and review it.`;

/** Refuses a plan of which anything is stale. One thing is the error itself; of several each is told before it. */
export function refuseIfStale({ workspace }: Plan, stale: readonly Stale[], hint: string, host: Host): void {
  const [first, ...others] = stale;
  if (first === undefined) return;
  for (const one of others.length === 0 ? [] : stale) {
    const diagnostic = { severity: 'error', code: 'plan-stale', message: sentenceOf(one) } as const;
    host.emit({ type: 'diagnostic', diagnostic });
  }
  const what =
    others.length === 0
      ? sentenceOf(first)
      : `${stale.length} things changed in workspace "${workspace.name}" after this plan was made.`;
  throw new DexsyncError('PLAN_STALE', `Plan is stale: ${what}`, { hint });
}

/** `UserGroup/Quality changed in workspace "prod" after this plan was made (description).` */
const sentenceOf = ({ address, message }: Stale): string => `${address} ${message}.`;
