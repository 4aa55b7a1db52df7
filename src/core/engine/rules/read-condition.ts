import { Environment, type EvaluationError, type ParseError, type ParseResult } from '@marcbachmann/cel-js';
import type { Rule, RuleVariables, RuleVerdict } from '../../model/rule.js';
import { type Names, problemIn, type RuleProblem, syntaxProblem } from './problems.js';
import { BEFORE, PLAN, PLAN_WITH_STEPS, RELEASE, STEP, TARGET, WAVE } from './variables.js';

/** Options of CEL. No rule that a person can read needs higher limits. */
const OPTIONS = {
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 2000, maxDepth: 60 },
};

const general = (): Environment =>
  new Environment(OPTIONS).registerVariable('production', 'bool').registerVariable('now', 'google.protobuf.Timestamp');

const languageOf = (plan: typeof PLAN): Environment => general().registerVariable({ name: 'plan', schema: plan });

const LANGUAGES = {
  step: {
    environment: languageOf(PLAN).registerVariable({ name: 'step', schema: STEP }),
    names: { plan: PLAN, step: STEP },
  },
  plan: { environment: languageOf(PLAN_WITH_STEPS), names: { plan: PLAN_WITH_STEPS } },
  gate: {
    environment: general()
      .registerVariable({ name: 'release', schema: RELEASE })
      .registerVariable({ name: 'before', schema: BEFORE })
      .registerVariable({ name: 'target', schema: TARGET }),
    names: { release: RELEASE, before: BEFORE, target: TARGET },
  },
  wave: { environment: general().registerVariable({ name: 'wave', schema: WAVE }), names: { wave: WAVE } },
  environment: {
    environment: general()
      .registerVariable('name', 'string')
      .registerVariable('labels', 'map<string, string>')
      .registerVariable('variables', 'map<string, dyn>'),
    names: {},
  },
};

/**
 * Parses and checks a condition once, so that evaluating it for thousands of steps is cheap; or says what is wrong.
 * `known`: fields of variables that only the configuration has.
 */
export function readCondition(
  text: string,
  scope: keyof typeof LANGUAGES,
  known: Names = {},
): Rule['decide'] | RuleProblem {
  const { environment, names } = LANGUAGES[scope];
  try {
    const condition = environment.parse(text);
    return problemIn(condition, { ...names, ...known }) ?? ((variables) => decide(condition, variables));
  } catch (error) {
    // Parsing throws only errors of this class.
    return syntaxProblem(error as ParseError);
  }
}

function decide(condition: ParseResult, variables: RuleVariables): RuleVerdict {
  try {
    const answer: unknown = condition(variables);
    if (typeof answer === 'boolean') return { is: answer ? 'met' : 'not met' };
    return { is: 'undecided', reason: 'its result is neither true nor false.' };
  } catch (error) {
    return { is: 'undecided', reason: reasonOf(error as Error & Partial<EvaluationError>, condition.ast.input) };
  }
}

function reasonOf({ code, summary, message, range }: Error & Partial<EvaluationError>, text: string): string {
  const reason = `${summary ?? message}.`;
  if (code !== 'no_such_key') return reason;
  const [path = ''] = /[\w.]+$/.exec(text.slice(0, range?.end)) ?? [];
  return reason.endsWith(`: ${path.split('.').at(-1)}.`)
    ? `No such key: ${path}. Check for it first: has(${path}).`
    : `${reason} Check for it first: "team" in step.labels.`;
}
