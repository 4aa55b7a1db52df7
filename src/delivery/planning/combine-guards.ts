import { withDeadline } from '#base/deadline.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { GuardOptions } from '#core/engine/guards/guard.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { effectiveGuards } from '#project/config/guard-settings.js';
import type { Config } from '#project/config/load-config.js';
import type { PlanningOptions } from './planning-options.js';

/** The most milliseconds for one rule and all steps of a plan. */
const LONGEST_RULE = 10_000;

/** The guards and limits to which somebody agreed for one plan. */
export type Consent = Pick<PlanningOptions, 'allow' | 'implied' | 'hold' | 'confirmed' | 'maxRequests'>;

/** Combines the environment's guards with the consent. `described`: by any manifest, selected or not. */
export function combineGuards(
  config: Config,
  environment: string,
  described: Iterable<Address>,
  { allow = [], implied = [], hold, confirmed, maxRequests }: Consent,
): GuardOptions {
  const { settings, production, rules } = effectiveGuards(config, environment);
  return {
    settings: maxRequests === undefined ? settings : { ...settings, maxRequests },
    production,
    rules,
    bounded: (work) => withDeadline(work, LONGEST_RULE),
    allow,
    implied,
    ...omitUndefined({ hold, confirmed }),
    described: [...described].filter((address) => config.catalog.kindNamed(splitAddress(address).kind) !== undefined)
      .length,
  };
}
