import type { PlanCheck } from '../../operations/check-plan.js';
import type { SavedPlan } from '../../planfile/read-plan.js';
import type { Palette } from './palette.js';
import { planText } from './plan-text.js';

/** A saved plan for review: where it comes from, whether it is whole, and then the plan as `plan` shows it. */
export function savedPlanText({ file, plan, digest, signature }: SavedPlan, palette: Palette): string {
  const { stack, environment, workspace, createdAt, manifests } = plan;
  const rows = [
    ['made', `${createdAt.slice(0, 19).replace('T', ' ')} UTC, by stack "${stack}"`],
    ['for', `workspace "${workspace.name}" (${workspace.identity}), environment ${environment}`],
    ['from', `manifests with the digest ${manifests.slice(0, 12)}`],
    ['digest', `${digest.slice(0, 19)}, as it was saved`],
    ['signature', signatureText(signature, palette)],
  ];
  // What was left of the quota then says nothing now.
  const today = { ...plan, requests: { ...plan.requests, remaining: null } };
  const head = rows.map(([name = '', value = '']) => `  ${palette.dim(name.padEnd(9))}  ${value}\n`).join('');
  return `${palette.bold(file)}\n${head}\n${planText({ type: 'plan', plan: today, reset: null }, palette)}`;
}

function signatureText(signature: SavedPlan['signature'], palette: Palette): string {
  switch (signature) {
    case 'none':
      return 'none';
    case 'unchecked':
      return palette.yellow('there is one; not checked, DEXSYNC_PLAN_KEY is not set');
    case 'missing':
      return palette.red('none; apply refuses it, DEXSYNC_PLAN_KEY is set');
    case 'wrong':
      return palette.red('not made with this DEXSYNC_PLAN_KEY; apply refuses it');
    case 'valid':
      return palette.green('made with this DEXSYNC_PLAN_KEY');
  }
  return signature satisfies never;
}

/** Whether a saved plan still holds, with everything that stands against it. */
export function planCheckText({ file, workspace, touched, stale }: PlanCheck, palette: Palette): string {
  const where = `workspace "${workspace.name}"`;
  const what = touched === 1 ? 'the one thing' : `the ${touched} things`;
  if (touched === 0) return `${palette.green(`${file} can be applied to ${where}; it changes nothing.`)}\n`;
  if (stale.length === 0)
    return `${palette.green(`${file} can be applied to ${where}: ${what} that it touches did not change.`)}\n`;
  const lines = stale.map(({ address, message }) => `  ${palette.red('✗')} ${palette.bold(address)} ${message}\n`);
  return `${palette.red(`${file} is stale.`)}\n${lines.join('')}Plan again and review it.\n`;
}
