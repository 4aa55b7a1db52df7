import type { Diagnostic, Origin } from '#base/diagnostics.js';
import { readCondition } from '#core/engine/rules/read-condition.js';
import type { Rule } from '#core/model/rule.js';

/** Compiles the condition of a rule or gate, which `owner` names; a finding if it is wrong, whose place is only found then. */
export function compileCondition(
  when: string,
  scope: Parameters<typeof readCondition>[1],
  owner: string,
  originOf: () => Origin,
): Rule['decide'] | Diagnostic {
  const condition = readCondition(when, scope);
  if (typeof condition === 'function') return condition;
  const { code, message, hint } = condition;
  return { severity: 'error', code, message: `${owner}: ${message}`, hint, origin: originOf() };
}
