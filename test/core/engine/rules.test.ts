import { describe, expect, test } from 'vitest';
import { readCondition } from '#core/engine/rules/read-condition.js';
import { planVariables, stepVariables } from '#core/engine/rules/variables.js';
import { addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Step } from '#core/model/plan.js';
import type { Rule, RuleVariables } from '#core/model/rule.js';

const origin = { file: 'm.yaml', line: 1, column: 1, layer: 'base' };
const group = addressOf('UserGroup', 'Q/1');
const bom = addressOf('Import', 'Bom');
const shared = { dependsOn: [], fingerprint: 'f', origin } as const;

const steps: Step[] = [
  {
    ...shared,
    address: group,
    action: 'update',
    reason: 'differs',
    message: '2 fields differ.',
    fields: [
      { path: 'description', before: 'a', after: 'b' },
      { path: 'limit', after: 3 },
    ],
    writes: [{ verb: 'update', name: 'Q/1', fields: {}, readFirst: 'yes' }],
  },
  {
    ...shared,
    address: bom,
    action: 'import',
    reason: 'not-imported',
    message: '',
    fields: [],
    writes: [
      {
        verb: 'import',
        key: 'k',
        rows: 7,
        request: { path: 'a.csv', spec: {}, definition: { spec: {}, content: {} } },
      },
    ],
  },
];

const manifests = [
  {
    address: group,
    kind: 'UserGroup',
    metadata: { name: 'Q/1', labels: { team: 'plm' }, annotations: { 'example.com/why': 'audit' } },
    spec: { members: ['ann@example.com'], enabled: true },
  },
] as unknown as Manifest[];

const jobs = [{ address: bom, mode: 'REPLACE', rows: 7, requests: { min: 4, max: 20 } }] as unknown as JobFacts[];

const base = planVariables(steps, {
  stack: 'site',
  environment: 'prod',
  workspace: { id: '77', name: 'Plant', identity: 'i' },
  production: true,
  createdAt: '2026-11-20T22:30:00.000Z',
  used: 5,
  summary: {
    create: 0,
    update: 1,
    replace: 0,
    delete: 0,
    rename: 0,
    adopt: 0,
    import: 1,
    manual: 0,
    blocked: 0,
    unchanged: 40,
  },
  jobs,
} as unknown as Parameters<typeof planVariables>[1]);

const variables = stepVariables(steps, { manifests, jobs });
const ofGroup: RuleVariables = { ...base, step: variables.get(group) };
const ofImport: RuleVariables = { ...base, step: variables.get(bom) };
const ofPlan: RuleVariables = { ...base, plan: { ...base.plan, steps: [...variables.values()] } };

function asked(when: string, over: RuleVariables, scope: Rule['scope'] = 'step'): string {
  const condition = readCondition(when, scope);
  if (typeof condition !== 'function') return `${condition.code}: ${condition.message} | ${condition.hint}`;
  const verdict = condition(over);
  return verdict.is === 'undecided' ? `undecided: ${verdict.reason}` : verdict.is;
}

describe('a condition can name', () => {
  test.each([
    ['address, kind and name', 'step.address == "UserGroup/Q/1" && step.kind == "UserGroup" && step.name == "Q/1"'],
    [
      'action, reason and message',
      'step.action in ["update", "replace"] && step.reason == "differs" && step.message.contains("2 fields")',
    ],
    [
      'fields with their former and new values',
      'step.fields.exists(f, f.path == "description" && f.before == "a" && f.after == "b")',
    ],
    ['a field that was nothing before', 'step.fields.exists(f, !has(f.before) && f.after > 2)'],
    ['how many writes it takes', 'step.writes == 1 && size(step.fields) == 2'],
    ['labels and annotations', 'step.labels.team == "plm" && step.annotations["example.com/why"] == "audit"'],
    ['the values of the manifest', '"ann@example.com" in step.spec.members && step.spec.enabled'],
    ['a member that may be missing', 'step.labels[?"site"].orValue("none") == "none"'],
    ['an absent mode and absent rows outside imports', 'step.mode == "" && step.rows == 0'],
    [
      'the plan',
      'plan.environment == "prod" && plan.stack == "site" && plan.workspace.name == "Plant" && plan.workspace.id == "77"',
    ],
    [
      'counts and price',
      'plan.summary.update == 1 && plan.summary["unchanged"] > 39 && plan.requests.apply.max == 22 && plan.requests.used == 5',
    ],
    ['production', 'production'],
    ['the time of the plan', 'now.getDayOfWeek("Europe/Vienna") == 5 && now.getHours("Europe/Vienna") == 23'],
    ['a pattern', 'step.name.matches("^Q/[0-9]+$")'],
  ])('%s', (_, when) => {
    expect(asked(when, ofGroup)).toBe('met');
  });
  test('mode and rows of an import, which has no manifest of an object', () => {
    expect(asked('step.mode == "REPLACE" && step.rows == 7 && step.labels == {} && step.spec == {}', ofImport)).toBe(
      'met',
    );
  });
  test('all steps of a plan', () => {
    expect(
      asked('plan.steps.filter(s, s.kind == "UserGroup").size() == 1 && plan.steps[1].rows == 7', ofPlan, 'plan'),
    ).toBe('met');
  });
  test('facts that do not hold', () => {
    expect(asked('step.action == "delete"', ofGroup)).toBe('not met');
  });
});

describe('an invalid condition is found when it is read', () => {
  const CEL = 'Conditions are written in CEL, such as: production && step.action == "delete".';
  test.each([
    ['nothing after an operator', 'step.kind ==', `rule-syntax: Unexpected token: EOF (character 13). | ${CEL}`],
    ['an assignment', 'step.kind = "a"', `rule-syntax: Unexpected character: = (character 11). | ${CEL}`],
    ['more than anybody reads', `true${' || true'.repeat(1500)}`, expect.stringMatching(/^rule-syntax: Exceeded max/)],
    [
      'deep nesting',
      `${'('.repeat(5000)}true${')'.repeat(5000)}`,
      expect.stringMatching(/^rule-syntax: Exceeded maxDepth/),
    ],
    [
      'an unknown field',
      'step.actoin == "delete"',
      'rule-type: No such key: actoin (character 6). | Did you mean "action"?',
    ],
    [
      'an unknown variable',
      'stpe.action == "delete"',
      'rule-type: Unknown variable: stpe (character 1). | Did you mean "step"?',
    ],
    [
      'a variable that nothing comes near to',
      'plan.environment == "a" && zzzzzzzz',
      expect.stringMatching(/^rule-type: Unknown variable: zzzzzzzz .*Known: "production", "now", "plan", "step"/),
    ],
    [
      'types that do not compare',
      'step.writes == "2"',
      `rule-type: no such overload: int == string (character 1). | ${CEL}`,
    ],
    ['an unknown function', 'step.name.begins("a")', expect.stringContaining('rule-type: found no matching overload')],
    [
      'a typing mistake within has()',
      'has(step.lables.team)',
      'rule-type: No such key: lables (character 5). | Did you mean "labels"?',
    ],
    [
      'a field that nothing comes near to',
      'has(plan.zzzzzzzz)',
      expect.stringMatching(/^rule-type: No such key: zzzzzzzz \(character 5\)\. \| Known: "stack", "environment"/),
    ],
    [
      'a key that nothing comes near to',
      'step["quite something else"] == "a"',
      expect.stringMatching(/^rule-type: No such key: .* \| plan has stack, .* step has address, /),
    ],
    [
      'a field of a step that nothing comes near to',
      'has(step.zzzzzzzzzz)',
      expect.stringMatching(/^rule-type: No such key: zzzzzzzzzz .*step has address, /),
    ],
    ['an unknown optional field', 'step.?lables.hasValue()', expect.stringContaining('No such key: lables')],
    [
      'an invalid pattern',
      'step.name.matches("^[")',
      'rule-type: "^[" is not a valid regular expression (character 19). | Within quotes, write a backslash twice: "\\\\.".',
    ],
    [
      'a value that is no condition',
      'step.writes',
      `rule-result: A condition must be true or false; this one is of type int. | ${CEL}`,
    ],
  ])('%s', (_, when, expected) => {
    expect(asked(when, ofGroup)).toEqual(expected);
  });

  test('a condition over the plan has no step', () => {
    expect(asked('step.action == "delete"', ofPlan, 'plan')).toMatch(/^rule-type: Unknown variable: step/);
  });

  test('any text is either read or reported', () => {
    const words = [
      'step',
      '.',
      'labels',
      '[',
      ']',
      '(',
      ')',
      '"a"',
      '==',
      '&&',
      '!',
      '?',
      ':',
      '{',
      '}',
      ',',
      'has',
      '1',
      '\\',
      "'",
      '//',
      'in',
      '-',
      '0x',
      'r"',
      '\n',
      '`',
    ];
    let state = 7;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state % below;
    };
    for (let round = 0; round < 3000; round += 1) {
      const text = Array.from({ length: 1 + next(9) }, () => words[next(words.length)]).join(next(2) === 0 ? '' : ' ');
      expect(asked(text, ofGroup)).toMatch(/^(met|not met|undecided: .+|rule-(syntax|type|result): .+ \| .+)$/s);
    }
  });
});

describe('a condition that cannot be decided says why', () => {
  test.each([
    [
      'a label that is not there',
      'step.labels.site == "x"',
      'undecided: No such key: step.labels.site. Check for it first: has(step.labels.site).',
    ],
    [
      'a pattern that is put together',
      'step.name.matches("[" + step.name)',
      expect.stringMatching(/^undecided: Invalid regular expression/),
    ],
    [
      'a value of another type than thought',
      'step.spec.members > 1',
      expect.stringMatching(/^undecided: no such overload/),
    ],
    ['a value other than a condition', 'step.spec.members', 'undecided: its result is neither true nor false.'],
  ])('%s', (_, when, expected) => {
    expect(asked(when, ofGroup)).toEqual(expected);
  });

  test('and so does one that fails on its own input', () => {
    const broken = {
      ...base,
      get step(): never {
        throw new Error('no step here');
      },
    };
    expect(asked('step.kind == "a"', broken)).toBe('undecided: no step here.');
  });
});
