import { omitUndefined } from '#base/omit-undefined.js';
import type { Cap, GuardSettings } from '#core/model/guards.js';
import type { Rule } from '#core/model/rule.js';
import type { GuardsSection } from './config-schema.js';
import type { Config } from './load-config.js';

const DEFAULT_CAP: Cap = { percent: 30, from: 10 };
const DEFAULT_IMPORT_ROWS = 1000;

/** The guards of one environment. */
export interface EnvironmentGuards {
  readonly settings: GuardSettings;
  readonly production: boolean;
  readonly rules: readonly Rule[];
}

/** The guards of an environment: its own limits, then those of the file, then the defaults, value by value. */
export function effectiveGuards(config: Config, environment: string): EnvironmentGuards {
  const { guards: own = {}, production = false } = config.environments[environment] ?? {};
  const { guards: general = {}, rules = [] } = config;
  const capOf = (which: 'deletes' | 'replacements' | 'missingRows'): Cap => ({
    ...DEFAULT_CAP,
    ...general[which],
    ...own[which],
  });
  const limits = { ...general, ...own } satisfies GuardsSection;
  return {
    settings: {
      deletes: capOf('deletes'),
      replacements: capOf('replacements'),
      missingRows: capOf('missingRows'),
      importRows: limits.importRows ?? DEFAULT_IMPORT_ROWS,
      ...omitUndefined({ maxRequests: limits.maxRequests }),
    },
    production,
    rules: rules.filter(({ environments }) => environments?.includes(environment) ?? true),
  };
}
