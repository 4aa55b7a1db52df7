import type { Address } from '../../model/address.js';
import type { GuardFinding } from '../../model/guards.js';
import type { Step } from '../../model/plan.js';
import { destructiveImports } from './destructive-imports.js';
import { type Guard, type GuardInput, isDelete, isReplacement } from './guard.js';

/**
 * Denies destructive steps in a production workspace until its name was typed. A name of another workspace is reported
 * in every environment, since the caller means that workspace.
 */
export const production: Guard = (steps, input) => {
  const { confirmed, workspace } = input;
  const destroying = destructiveSteps(steps, input);
  const finding = { guard: 'production', override: `--confirm "${workspace.name}"`, addresses: destroying } as const;
  if (confirmed !== undefined && confirmed !== workspace.name && confirmed !== workspace.id) {
    const message = `\`--confirm "${confirmed}"\` was given, but this is workspace "${workspace.name}" (${workspace.id}).`;
    return [{ ...finding, severity: destroying.length > 0 ? 'deny' : 'warn', message }];
  }
  return input.production && destroying.length > 0 ? [productionFinding(finding, input)] : [];
};

function productionFinding(
  finding: Omit<GuardFinding, 'severity' | 'message'>,
  { confirmed, workspace }: GuardInput,
): GuardFinding {
  const { length: count } = finding.addresses;
  const what = count === 1 ? '1 step deletes or replaces' : `${count} steps delete or replace`;
  const fact = `${what} objects or records in the production workspace "${workspace.name}"`;
  return confirmed === undefined
    ? { ...finding, severity: 'deny', message: `${fact}. This needs \`${finding.override}\`.` }
    : { ...finding, severity: 'warn', message: `${fact}; allowed by \`--confirm "${confirmed}"\`.` };
}

function destructiveSteps(steps: readonly Step[], { jobs }: GuardInput): Address[] {
  const imports = new Set(destructiveImports(steps, jobs).map(({ address }) => address));
  return steps
    .filter((step) => isDelete(step) || isReplacement(step) || imports.has(step.address))
    .map(({ address }) => address);
}
