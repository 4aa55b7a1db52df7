import { durationIn } from '#base/duration.js';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Rule } from '#core/model/rule.js';
import type { RolloutSettings } from '#ledger/stored-rollout.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import { countOf } from './waves.js';

const MOST = 64;

/**
 * Reads how the waves of a fleet follow each other; the result takes the number of its environments. Throws
 * CONFIG_INVALID for a wrong condition.
 */
export async function rolloutSettings({
  workers,
  // Each worker has a limit of its own.
  concurrency = workers === true ? MOST : undefined,
  budget = 0,
  soak = '',
  check,
}: FleetSettings): Promise<(environments: number) => RolloutSettings> {
  if (check?.condition !== undefined) await compileCheck(check.condition);
  return (environments) => ({
    ...omitUndefined({ concurrency, workers, check }),
    budget: countOf(budget, environments, 0),
    soak: (durationIn(soak) ?? 0) / 1000,
  });
}

/** Compiles the condition of a check, whose language is loaded only where there is one. Throws CONFIG_INVALID. */
export async function compileCheck(text: string): Promise<Rule['decide']> {
  const { readCondition } = await import('#core/engine/rules/read-condition.js');
  const condition = readCondition(text, 'wave');
  if (typeof condition === 'function') return condition;
  throw new DexsyncError('CONFIG_INVALID', `The condition of a fleet's \`check\`: ${condition.message}`, {
    hint: condition.hint,
  });
}
