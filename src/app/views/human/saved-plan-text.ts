import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import type { PlanCheck } from '../../operations/check-plan.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { planText } from './plan-text.js';
import { provenanceRows } from './provenance-text.js';
import { signedText } from './review-text.js';

/** A saved plan for review: its origin, whether it is intact, and then the plan as `plan` shows it. */
export function savedPlanText(
  { file, plan, digest, changes, signature, signedBy, stored }: SavedPlan,
  palette: Palette,
  width: number | undefined,
): string {
  const { stack, environment, workspace, createdAt, manifests, provenance } = plan;
  const rows = [
    ['created', `${createdAt.slice(0, 19).replace('T', ' ')} UTC, by stack "${stack}"`],
    ...(provenance === undefined ? [] : provenanceRows(provenance)).map(([title, text]) => [title.toLowerCase(), text]),
    ['for', `environment ${environment} (workspace "${workspace.name}", ${workspace.identity})`],
    ['from', `manifests with digest ${manifests.slice(0, 12)}`],
    ['digest', `${digest.slice(0, 19)}, unchanged since it was saved`],
    ['changes', `${changes.slice(0, 19)}, the same for plans that change the same`],
    ['signature', signedBy === undefined ? signatureText(signature, palette) : `by the key ${signedBy}`],
    ...(stored === undefined ? [] : storedRows(stored, palette)),
  ];
  // The remaining quota of that time is out of date.
  const today = { ...plan, requests: { ...plan.requests, remaining: null } };
  const head = rows.map(([name = '', value = '']) => `  ${palette.dim(name.padEnd(9))}  ${value}\n`).join('');
  return `${palette.bold(file)}\n${head}\n${planText({ type: 'plan', plan: today, reset: null }, palette, width)}`;
}

/** Who saved it, and each review, in the order of time. */
function storedRows(stored: NonNullable<SavedPlan['stored']>, palette: Palette): string[][] {
  const lines = stored.reviews.map((review) => {
    const verdict = review.verdict === 'approved' ? palette.green('approved') : palette.red('rejected');
    return `${verdict} ${signedText(review)}`;
  });
  return [
    ['saved', signedText(stored)],
    ...(lines.length === 0 ? ['none'] : lines).map((line, index) => [index === 0 ? 'reviews' : '', line]),
  ];
}

function signatureText(signature: SavedPlan['signature'], palette: Palette): string {
  switch (signature) {
    case 'none':
      return 'none';
    case 'unchecked':
      return palette.yellow('present, not checked: DEXSYNC_PLAN_KEY is not set');
    case 'missing':
      return palette.red('none; apply refuses the plan because DEXSYNC_PLAN_KEY is set');
    case 'wrong':
      return palette.red('not signed with this DEXSYNC_PLAN_KEY; apply refuses the plan');
    case 'valid':
      return palette.green('valid (DEXSYNC_PLAN_KEY)');
  }
  return signature satisfies never;
}

/** Says whether a saved plan still holds, with everything that prevents it. */
export function planCheckText({ file, environment, workspace, touched, stale }: PlanCheck, palette: Palette): string {
  const where = whereText({ environment, workspace: workspace.name });
  const what = touched === 1 ? 'the only object' : `none of the ${touched} objects`;
  if (touched === 0) return `${palette.green(`${file} can be applied to ${where}; it contains no changes.`)}\n`;
  if (stale.length === 0)
    return `${palette.green(`${file} can be applied to ${where}: ${what} that it touches ${touched === 1 ? 'has not changed' : 'has changed'}.`)}\n`;
  const lines = stale.map(({ address, message }) => `  ${palette.red('✗')} ${palette.bold(address)} ${message}\n`);
  return `${palette.red(`${file} is stale.`)}\n${lines.join('')}Run \`dexsync plan --out\` again and review the new plan.\n`;
}
