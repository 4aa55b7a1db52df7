import type { GuardFinding } from '../../model/guards.js';
import type { Step } from '../../model/plan.js';
import { deletes, replacements } from './caps.js';
import { deny } from './deny.js';
import { emptyInput } from './empty-input.js';
import type { Guard, GuardInput } from './guard.js';
import { importRows } from './import-rows.js';
import { maxRequests } from './max-requests.js';
import { production } from './production.js';
import { rules } from './rules.js';

/** All see the same steps, so that a step tells every reason at once. */
const GUARDS: readonly Guard[] = [deletes, replacements, emptyInput, importRows, production, rules];

export interface Guarded {
  readonly steps: readonly Step[];
  readonly findings: readonly GuardFinding[];
}

/** The steps with those blocked that a guard or rule denies, and with what needs them. The price is that of the rest. */
export function runGuards(steps: readonly Step[], input: GuardInput): Guarded {
  if (steps.length === 0) return { steps, findings: [] };
  const findings = GUARDS.flatMap((guard) => guard(steps, input));
  const left = deny(steps, findings);
  const price = maxRequests(left, input);
  return { steps: deny(left, price), findings: [...findings, ...price] };
}
