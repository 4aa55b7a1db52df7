import type { Diagnostic } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Document, Origins } from '#core/model/document.js';
import { withoutNulls } from '#core/model/json.js';
import type { Rule } from '#core/model/rule.js';
import { compileCondition } from './compile-condition.js';
import type { ConfigFile, RuleSection } from './config-schema.js';

/** A rule with a compiled condition; without environments, it applies to all of them. */
export interface ConfiguredRule extends Rule {
  readonly environments?: readonly string[];
}

/** Rules with their conditions compiled, and findings about the others. */
export interface RulesResult {
  readonly rules: readonly ConfiguredRule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the rules of a configuration of a valid shape. Reports conditions now that would fail at every step. */
export function readRules({ value, origins }: Document): RulesResult {
  const { rules: sections = [], environments } = withoutNulls(value) as ConfigFile;
  const read = sections.map((section, index) => toRule(section, `/rules/${index}`, origins));
  const names = Object.keys(environments);
  return {
    rules: read.flatMap((one) => ('decide' in one ? [one] : [])),
    diagnostics: [
      ...read.flatMap((one) => ('decide' in one ? [] : [one])),
      ...repeatedNames(sections, origins),
      ...unknownEnvironments(sections, names, origins),
    ],
  };
}

function toRule(section: RuleSection, at: string, origins: Origins): ConfiguredRule | Diagnostic {
  const { name, scope = 'step', effect, message, when, environments } = section;
  const decide = compileCondition(when, scope, `Rule "${name}"`, () => origins.value(`${at}/when`));
  if (typeof decide !== 'function') return decide;
  return { name, scope, effect, message, decide, ...omitUndefined({ environments }) };
}

function repeatedNames(sections: readonly RuleSection[], origins: Origins): Diagnostic[] {
  const names = sections.map(({ name }) => name);
  return names.flatMap((name, index): Diagnostic[] => {
    if (names.indexOf(name) === index) return [];
    const message = `Two rules are named "${name}"; their messages could not be distinguished.`;
    const origin = origins.value(`/rules/${index}/name`);
    return [{ severity: 'error', code: 'rule-repeated', message, hint: 'Rename one of them.', origin }];
  });
}

function unknownEnvironments(
  sections: readonly RuleSection[],
  known: readonly string[],
  origins: Origins,
): Diagnostic[] {
  return sections.flatMap(({ name, environments }, index) =>
    (environments ?? []).flatMap((environment, at): Diagnostic[] => {
      if (known.includes(environment)) return [];
      const message = `Rule "${name}" applies to the environment "${environment}", which does not exist.`;
      const hint = nearestHint(environment, known) ?? 'Use an environment of this file.';
      const origin = origins.value(`/rules/${index}/environments/${at}`);
      return [{ severity: 'error', code: 'rule-environment', message, hint, origin }];
    }),
  );
}
