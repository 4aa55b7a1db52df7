import type { Address } from '../../model/address.js';
import type { GuardFinding } from '../../model/guards.js';
import type { Rule, RuleVariables, RuleVerdict } from '../../model/rule.js';
import { planVariables, stepVariables } from '../rules/variables.js';
import { verdictText } from '../rules/verdict-text.js';
import { type Guard, stepAddresses } from './guard.js';

/** Evaluates the user's own rules. Skips steps that are blocked already. */
export const userRules: Guard = (steps, input) => {
  if (input.rules.length === 0) return [];
  const open = steps.filter(({ action }) => action !== 'blocked');
  const all = stepVariables(open, input);
  const base = planVariables(open, input);
  const writing = stepAddresses(open.filter(({ writes }) => writes.length > 0));
  const ask = (rule: Rule): GuardFinding[] =>
    rule.scope === 'step'
      ? stepFindings(rule, all, base)
      : findingOf(rule, rule.decide({ ...base, plan: { ...base.plan, steps: [...all.values()] } }), writing);
  return input.rules.flatMap((rule) => {
    try {
      return input.bounded(() => ask(rule));
    } catch (error) {
      return findingOf(rule, { is: 'undecided', reason: (error as Error).message }, writing);
    }
  });
};

/** Returns one finding for all steps with the same verdict of a rule. */
function stepFindings(rule: Rule, all: ReadonlyMap<Address, object>, base: RuleVariables): GuardFinding[] {
  const said = new Map<string, { verdict: RuleVerdict; addresses: Address[] }>();
  for (const [address, step] of all) {
    const verdict = rule.decide({ ...base, step });
    const key = verdict.is === 'undecided' ? `undecided ${verdict.reason}` : verdict.is;
    const same = said.get(key);
    if (same === undefined) said.set(key, { verdict, addresses: [address] });
    else same.addresses.push(address);
  }
  return [...said.values()].flatMap(({ verdict, addresses }) => findingOf(rule, verdict, addresses));
}

/** Reports a verdict. A condition that cannot be evaluated counts as met: a typo must not let changes through. */
function findingOf(
  { name, effect, message }: Rule,
  verdict: RuleVerdict,
  addresses: readonly Address[],
): GuardFinding[] {
  if (verdict.is === 'not met') return [];
  const fixed = effect === 'deny' ? ' No option overrides a rule; change the configuration instead.' : '';
  return [
    {
      guard: 'rule',
      rule: name,
      severity: effect,
      message: `Rule "${name}": ${verdictText(verdict, message)}${fixed}`,
      addresses,
    },
  ];
}
