import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { currentNames } from '#core/engine/follow-renames.js';
import type { GuardInput } from '#core/engine/guards/guard.js';
import { runGuards } from '#core/engine/guards/run-guards.js';
import { readCondition } from '#core/engine/rules/read-condition.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability } from '#core/model/observation.js';
import type { ImportRequest, OpenRunsSeen, Step, Write } from '#core/model/plan.js';
import type { Rule } from '#core/model/rule.js';
import type { Action } from '#core/model/step-schema.js';
import { reference } from '#service/profiles/reference.js';

const origin = { file: 'm.yaml', line: 1, column: 1, layer: 'base' };

const request: ImportRequest = { path: 'a.csv', spec: {}, definition: { spec: {}, content: {} } };

const WRITES: Partial<Record<Action, readonly Write[]>> = {
  create: [{ verb: 'create', spec: {} }],
  update: [{ verb: 'update', name: 'x', fields: {}, readFirst: 'no' }],
  replace: [
    { verb: 'retire', to: 'x', fields: {} },
    { verb: 'create', spec: {} },
  ],
  delete: [{ verb: 'delete', name: 'x' }],
  retire: [{ verb: 'retire', to: 'x', fields: {} }],
  import: [{ verb: 'import', key: 'k', rows: 1, request }],
};

const step = (action: Action, address: string, over: Partial<Step> = {}): Step => ({
  address: address as Address,
  action,
  reason: 'differs',
  message: 'As asked.',
  fields: [],
  writes: WRITES[action] ?? [],
  dependsOn: [],
  fingerprint: 'f',
  origin,
  ...over,
});

const several = (action: Action, count: number, kind = 'UserGroup'): Step[] =>
  Array.from({ length: count }, (_, index) => step(action, `${kind}/${index}`));

const job = (name: string, over: Partial<JobFacts> = {}): JobFacts => ({
  address: addressOf('Import', name),
  key: 'k',
  rows: 2000,
  source: 'a.csv',
  definition: addressOf('ImportDefinition', 'Specs'),
  when: 'changed',
  commits: 'by rule',
  rule: 'clean',
  needs: [],
  findings: { errors: 0, accepted: 'yes' },
  requests: { min: 4, max: 20 },
  request,
  sent: { stack: 's', definition: 'Specs' },
  origin,
  ...over,
});

const NOTHING = {
  retire: 0,
  forget: 0,
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  rename: 0,
  adopt: 0,
  import: 0,
  manual: 0,
  blocked: 0,
};

const LIMITS: GuardInput['settings'] = {
  deletes: { percent: 30, from: 10 },
  replacements: { percent: 30, from: 10 },
  missingRows: { percent: 30, from: 10 },
  importRows: 1000,
};

const world = (over: Partial<GuardInput> = {}): GuardInput => ({
  settings: LIMITS,
  production: false,
  rules: [],
  bounded: (work) => work(),
  allow: [],
  described: 1,
  stack: 's',
  environment: 'prod',
  workspace: { id: '77', name: 'Plant', identity: 'test/77' },
  createdAt: '2026-11-20T10:00:00.000Z',
  used: 3,
  summary: { ...NOTHING, unchanged: 0 },
  jobs: [],
  manifests: [],
  existing: new Map(),
  facts: new Map(),
  currentNames: () => currentNames({ bound: [], facts: new Map(), observation: { objects: new Map() } }),
  kindNamed: (name) => builtIn.kindNamed(name) as Kind,
  capabilityOf: ({ collection }) => reference.collections[collection]?.can as Capability,
  ...over,
});

/** Each finding as `severity guard [rule] message {override} addresses`, each step that is not as it was with its reason. */
function told(steps: readonly Step[], input: GuardInput): { findings: string[]; blocked: string[] } {
  const guarded = runGuards(steps, input);
  const findings = guarded.findings.map(({ severity, guard, rule, message, override, addresses }) =>
    [severity, guard, ...(rule === undefined ? [] : [rule]), message, `{${override ?? ''}}`, addresses.length].join(
      ' ',
    ),
  );
  const changed = guarded.steps.filter((one, index) => one !== steps[index]);
  for (const { action, writes } of changed) expect([action, writes]).toEqual(['blocked', []]);
  return { findings, blocked: changed.map(({ address, reason, wanted }) => `${reason} ${wanted} ${address}`) };
}

const groups = (count: number): Pick<GuardInput, 'existing'> => ({ existing: new Map([['UserGroup', count]]) });
const limit = (over: Partial<GuardInput['settings']>): Pick<GuardInput, 'settings'> => ({
  settings: { ...LIMITS, ...over },
});

describe('caps on deletes and replacements', () => {
  const passes: [string, Step[], Partial<GuardInput>][] = [
    ['30 % of 10', several('delete', 3), groups(10)],
    ['all of 9, since a share counts from 10 on', several('delete', 9), groups(9)],
    ['updates, however many', several('update', 12), groups(12)],
    ['a share of each kind by itself', [...several('delete', 3), ...several('delete', 3, 'Policy')], groups(10)],
    [
      'deletes and replacements by themselves',
      [...several('delete', 3), ...several('replace', 3, 'UserGroup')],
      groups(10),
    ],
    [
      'a share that the settings allow',
      several('delete', 9),
      { ...groups(10), ...limit({ deletes: { percent: 90, from: 10 } }) },
    ],
    [
      'as many as the settings allow',
      several('delete', 2),
      { ...groups(9), ...limit({ deletes: { percent: 30, from: 10, count: 2 } }) },
    ],
    [
      'destruction in production where the command itself asks for the name of the workspace',
      several('delete', 1),
      { ...groups(1), production: true, implied: ['production'] },
    ],
    ['any share where the command itself asks for it', several('delete', 12), { ...groups(12), implied: ['deletes'] }],
  ];
  test.each(passes)('pass: %s', (_, steps, over) => {
    expect(told(steps, world(over))).toEqual({ findings: [], blocked: [] });
  });

  const stops: [string, Step[], Partial<GuardInput>, string][] = [
    [
      'more than 30 %',
      several('delete', 5),
      groups(12),
      'deny deletes 5 of 12 UserGroup objects would be deleted (42%, the limit is 30%). This needs `--allow deletes`. {--allow deletes} 5',
    ],
    [
      'replacements, with their own word and override',
      several('replace', 4),
      groups(10),
      'deny replacements 4 of 10 UserGroup objects would be replaced (40%, the limit is 30%). This needs `--allow replacements`. {--allow replacements} 4',
    ],
    [
      'objects that are renamed away, since the service cannot delete them',
      several('retire', 4),
      groups(10),
      'deny deletes 4 of 10 UserGroup objects would be retired (40%, the limit is 30%). This needs `--allow deletes`. {--allow deletes} 4',
    ],
    [
      'a share a little above the limit is not shown as the limit',
      several('delete', 301),
      groups(1000),
      'deny deletes 301 of 1000 UserGroup objects would be deleted (30.1%, the limit is 30%). This needs `--allow deletes`. {--allow deletes} 301',
    ],
    [
      'a count, however few there are',
      several('delete', 2),
      { ...groups(3), ...limit({ deletes: { percent: 30, from: 10, count: 1 } }) },
      'deny deletes 2 of 3 UserGroup objects would be deleted (the limit is 1). This needs `--allow deletes`. {--allow deletes} 2',
    ],
    [
      'a share by the settings',
      several('replace', 1),
      { ...groups(5), ...limit({ replacements: { percent: 10, from: 5 } }) },
      'deny replacements 1 of 5 UserGroup objects would be replaced (20%, the limit is 10%). This needs `--allow replacements`. {--allow replacements} 1',
    ],
    [
      'more than were known of: all',
      several('delete', 10),
      {},
      'deny deletes 10 of 10 UserGroup objects would be deleted (100%, the limit is 30%). This needs `--allow deletes`. {--allow deletes} 10',
    ],
  ];
  test.each(stops)('stop: %s', (_, steps, over, finding) => {
    const { findings, blocked } = told(steps, world(over));
    expect(findings).toEqual([finding]);
    expect(blocked).toHaveLength(steps.length);
  });

  test('a blocked step leaves the ledger as it is', () => {
    const steps = [...several('delete', 4), step('update', 'Policy/P', { dependsOn: [addressOf('UserGroup', '0')] })];
    const asked = steps.map((one) => ({ ...one, fact: null }));
    expect(runGuards(asked, world(groups(10))).steps.filter((one) => 'fact' in one)).toEqual([]);
  });

  test('only the kind that exceeds its cap is blocked, with its dependents; the rest runs', () => {
    const steps = [
      ...several('delete', 4),
      ...several('delete', 1, 'Policy'),
      step('update', 'Policy/waits', { dependsOn: [addressOf('UserGroup', '3')] }),
    ];
    const { steps: after } = runGuards(steps, world(groups(10)));
    expect(after.map(({ address, action, reason }) => `${address} ${action} ${reason}`)).toEqual([
      ...[0, 1, 2, 3].map((index) => `UserGroup/${index} blocked guarded`),
      'Policy/0 delete differs',
      'Policy/waits blocked dependency-blocked',
    ]);
    expect(after[0]).toMatchObject({
      message: '4 of 10 UserGroup objects would be deleted (40%, the limit is 30%). This needs `--allow deletes`.',
      wanted: 'delete',
    });
    expect(after[5]).toMatchObject({
      message: 'It needs UserGroup/3, which this plan does not apply.',
      wanted: 'update',
    });
  });

  test('the named override lets the steps pass and stays visible', () => {
    expect(told(several('delete', 5), world({ ...groups(12), allow: ['replacements', 'deletes'] }))).toEqual({
      findings: [
        'warn deletes 5 of 12 UserGroup objects would be deleted (42%, the limit is 30%); allowed by `--allow deletes`. {--allow deletes} 5',
      ],
      blocked: [],
    });
  });

  test('another override does not help', () => {
    expect(told(several('delete', 5), world({ ...groups(12), allow: ['replacements'] })).blocked).toHaveLength(5);
  });
});

describe('rows of imports that destroy data', () => {
  const importing = (over: Partial<JobFacts>, resume?: OpenRunsSeen): [Step[], GuardInput] => {
    const write: Write = { verb: 'import', key: 'k', rows: 1, request, ...(resume === undefined ? {} : { resume }) };
    return [[step('import', 'Import/Parts', { writes: [write] })], world({ jobs: [job('Parts', over)] })];
  };
  const cases: [string, Partial<JobFacts>, OpenRunsSeen | undefined, string[]][] = [
    [
      'DELETE',
      { mode: 'DELETE', rows: 1001 },
      undefined,
      [
        'deny import-rows 1001 rows of Import/Parts would delete records (mode DELETE, the limit is 1000). This needs `--allow import-rows`. {--allow import-rows} 1',
      ],
    ],
    [
      'REPLACE',
      { mode: 'REPLACE' },
      undefined,
      [
        'deny import-rows 2000 rows of Import/Parts would replace existing records (mode REPLACE, the limit is 1000). This needs `--allow import-rows`. {--allow import-rows} 1',
      ],
    ],
    ['as many as the limit', { mode: 'DELETE', rows: 1000 }, undefined, []],
    [
      'a file that lost a great part of its rows',
      { mode: 'DELETE', rows: 4, missingOf: 12 },
      undefined,
      [
        'deny import-rows 4 of 12 records would be deleted by Import/Parts, since the file no longer has them (33%, the limit is 30%). This needs `--allow import-rows`. {--allow import-rows} 1',
      ],
    ],
    ['a file that lost few of its rows', { mode: 'DELETE', rows: 3, missingOf: 10 }, undefined, []],
    ['a file that had few rows', { mode: 'DELETE', rows: 9, missingOf: 9 }, undefined, []],
    ['OVERWRITE', { mode: 'OVERWRITE' }, undefined, []],
    ['a definition without a mode', {}, undefined, []],
    ['validation alone', { mode: 'DELETE', commits: 'never' }, undefined, []],
    ['a run whose commit was sent', { mode: 'DELETE' }, { run: 'R', phase: 'committing' }, []],
    [
      'a run that was only posted',
      { mode: 'DELETE' },
      { run: 'R', phase: 'posted' },
      [expect.stringContaining('deny')],
    ],
  ];
  test.each(cases)('%s', (_, facts, resume, expected) => {
    expect(told(...importing(facts, resume)).findings).toEqual(expected);
  });

  test('a step that is not an import has no rows', () => {
    expect(told([step('create', 'UserGroup/Q')], world({ jobs: [job('Parts', { mode: 'DELETE' })] })).findings).toEqual(
      [],
    );
  });
});

describe('empty input', () => {
  test('block deletes where no manifest describes an object, and nothing else', () => {
    const { findings, blocked } = told([...several('delete', 2), step('import', 'Import/P')], world({ described: 0 }));
    expect(findings).toEqual([
      'deny empty-input No manifest describes any object, and 2 objects would be deleted (use `dexsync destroy` to do that). This needs `--allow empty-input`. {--allow empty-input} 2',
    ]);
    expect(blocked).toEqual(['guarded delete UserGroup/0', 'guarded delete UserGroup/1']);
  });
  test('say one object in the singular', () => {
    expect(told(several('delete', 1), world({ described: 0, allow: ['empty-input'] })).findings).toEqual([
      'warn empty-input No manifest describes any object, and 1 object would be deleted (use `dexsync destroy` to do that); allowed by `--allow empty-input`. {--allow empty-input} 1',
    ]);
  });
  test('do not matter without deletes', () => {
    expect(told([step('import', 'Import/P')], world({ described: 0 })).findings).toEqual([]);
  });
});

describe('a production environment', () => {
  const destructive = [
    step('delete', 'UserGroup/A'),
    step('replace', 'ImportDefinition/B'),
    step('import', 'Import/C'),
    step('import', 'Import/D'),
    step('update', 'UserGroup/E'),
  ];
  const jobs = [job('C', { mode: 'REPLACE', rows: 1 }), job('D', { mode: 'EDIT' })];
  const refused = ['guarded delete UserGroup/A', 'guarded replace ImportDefinition/B', 'guarded import Import/C'];
  const wrong = '`--confirm "Dev"` was given, but this is workspace "Plant" (77). {--confirm "Plant"}';
  const cases: [string, Partial<GuardInput>, string[], string[]][] = [
    ['no production, no word needed', {}, [], []],
    [
      'production without a word',
      { production: true },
      [
        'deny production 3 steps delete or replace objects or records in the production workspace "Plant". This needs `--confirm "Plant"`. {--confirm "Plant"} 3',
      ],
      refused,
    ],
    [
      'confirmed by name',
      { production: true, confirmed: 'Plant' },
      [
        'warn production 3 steps delete or replace objects or records in the production workspace "Plant"; allowed by `--confirm "Plant"`. {--confirm "Plant"} 3',
      ],
      [],
    ],
    [
      'confirmed by id',
      { production: true, confirmed: '77' },
      [expect.stringContaining('allowed by `--confirm "77"`')],
      [],
    ],
    ['confirmed by another name', { production: true, confirmed: 'Dev' }, [`deny production ${wrong} 3`], refused],
    ['another name outside production', { confirmed: 'Dev' }, [`deny production ${wrong} 3`], refused],
    ['the right name outside production', { confirmed: 'Plant' }, [], []],
  ];
  test.each(cases)('%s', (_, over, findings, blocked) => {
    expect(told(destructive, world({ jobs, ...over }))).toEqual({ findings, blocked });
  });
  test('says one step in the singular', () => {
    expect(told(several('delete', 1), world({ production: true })).findings[0]).toContain('1 step deletes or replaces');
  });
  test('reports a wrong name where nothing is destroyed, and stops nothing', () => {
    expect(told([step('create', 'UserGroup/Q')], world({ production: true, confirmed: 'Dev' }))).toEqual({
      findings: [`warn production ${wrong} 0`],
      blocked: [],
    });
  });
});

describe('the limit of requests', () => {
  const priced = (most: number, over: Partial<GuardInput> = {}): GuardInput =>
    world({ settings: { ...LIMITS, maxRequests: most }, ...over });
  test('lets a plan run that costs no more', () => {
    expect(told(several('create', 5), priced(5))).toEqual({ findings: [], blocked: [] });
  });
  test('stops a plan as a whole that costs more', () => {
    const steps = [...several('create', 5), step('manual', 'Policy/P')];
    const { findings, blocked } = told(steps, priced(4));
    expect(findings).toEqual([
      'deny max-requests This apply would take 5 requests (the limit is 4). This needs `--allow max-requests`. {--allow max-requests} 5',
    ]);
    expect(blocked).toHaveLength(5);
  });
  test('counts the upper bound', () => {
    const { findings } = told([step('import', 'Import/P')], priced(19, { jobs: [job('P')], allow: ['max-requests'] }));
    expect(findings).toEqual([
      'warn max-requests This apply would take 4 to 20 requests (the limit is 19); allowed by `--allow max-requests`. {--allow max-requests} 1',
    ]);
  });
  test('ignores the cost of steps that are blocked anyway', () => {
    const steps = [...several('delete', 5), step('create', 'Policy/P')];
    const { steps: after } = runGuards(steps, priced(1, groups(5)));
    expect(after.filter(({ action }) => action === 'blocked')).toHaveLength(6);
    const { steps: cheaper } = runGuards(steps, priced(1, { ...groups(5), production: true }));
    expect(cheaper.at(-1)?.action).toBe('create');
  });
});

function rule(when: string, over: Partial<Rule> = {}): Rule {
  const scope = over.scope ?? 'step';
  const decide = readCondition(when, scope);
  if (typeof decide !== 'function') throw new Error(decide.message);
  return { name: 'R', scope, effect: 'deny', message: 'Not like this', decide, ...over };
}

describe('rules', () => {
  const steps = [step('create', 'UserGroup/A'), step('delete', 'Policy/B'), step('manual', 'Trigger/C')];
  const FIXED = 'No option overrides a rule; change the configuration instead. {}';
  const cases: [string, Rule, string[], string[]][] = [
    [
      'a step that meets it is blocked, with its message',
      rule('step.action == "delete"'),
      [`deny rule R Rule "R": Not like this. ${FIXED} 1`],
      ['refused-by-rule delete Policy/B'],
    ],
    [
      'a manual step can be refused too',
      rule('step.kind == "Trigger"'),
      [expect.anything()],
      ['refused-by-rule manual Trigger/C'],
    ],
    [
      'a warning blocks nothing, and a sentence that ends keeps its end',
      rule('step.action == "delete"', { effect: 'warn', message: 'Really?' }),
      ['warn rule R Rule "R": Really? {} 1'],
      [],
    ],
    ['nothing meets it', rule('production'), [], []],
    [
      'over the plan: every step that writes is blocked',
      rule('plan.steps.exists(s, s.action == "delete" && s.writes > 0)', { scope: 'plan' }),
      [`deny rule R Rule "R": Not like this. ${FIXED} 2`],
      ['refused-by-rule create UserGroup/A', 'refused-by-rule delete Policy/B'],
    ],
    ['over the plan, not met', rule('plan.requests.apply.max > 3', { scope: 'plan' }), [], []],
    [
      'a rule that cannot be decided refuses, with the reason',
      rule('step.labels.team == "x"'),
      [
        `deny rule R Rule "R": The condition cannot be evaluated: No such key: step.labels.team. Check for it first: has(step.labels.team). ${FIXED} 3`,
      ],
      ['refused-by-rule create UserGroup/A', 'refused-by-rule delete Policy/B', 'refused-by-rule manual Trigger/C'],
    ],
    [
      'a warning that cannot be decided is reported',
      rule('step.labels.team == "x"', { effect: 'warn' }),
      [
        'warn rule R Rule "R": The condition cannot be evaluated: No such key: step.labels.team. Check for it first: has(step.labels.team). {} 3',
      ],
      [],
    ],
  ];
  test.each(cases)('%s', (_, one, findings, blocked) => {
    expect(told(steps, world({ rules: [one] }))).toEqual({ findings, blocked });
  });

  test('give different findings for different reasons', () => {
    const both = rule('step.kind == "Policy" || step.labels[step.name] == "x"');
    expect(told(steps, world({ rules: [both] })).findings).toEqual([
      expect.stringContaining('No such key: A'),
      expect.stringContaining('Not like this'),
      expect.stringContaining('No such key: C'),
    ]);
  });

  test('are not asked about blocked steps', () => {
    expect(told([step('blocked', 'UserGroup/A')], world({ rules: [rule('true')] })).findings).toEqual([]);
  });

  test('report everything against a step, which counts as guarded where not only rules object', () => {
    const { steps: after } = runGuards(
      several('delete', 4),
      world({ ...groups(10), production: true, rules: [rule('step.action == "delete"')] }),
    );
    expect(after[0]).toMatchObject({
      reason: 'guarded',
      message:
        '4 of 10 UserGroup objects would be deleted (40%, the limit is 30%). This needs `--allow deletes`. ' +
        '4 steps delete or replace objects or records in the production workspace "Plant". This needs `--confirm "Plant"`. ' +
        'Rule "R": Not like this. No option overrides a rule; change the configuration instead.',
    });
  });
});

test('deny a step where a rule cannot finish', () => {
  const rule: Rule = {
    name: 'endless',
    scope: 'step',
    effect: 'deny',
    message: 'No.',
    decide: () => ({ is: 'not met' }),
  };
  const bounded = (): never => {
    throw new Error('it did not end within 10 s');
  };
  const { findings, blocked } = told([step('create', 'UserGroup/A')], world({ rules: [rule], bounded }));
  expect(findings).toEqual([
    expect.stringContaining(
      'deny rule endless Rule "endless": The condition cannot be evaluated: it did not end within 10 s.',
    ),
  ]);
  expect(blocked).toHaveLength(1);
});

test('a plan without steps has nothing to guard', () => {
  expect(runGuards([], world({ confirmed: 'Dev' }))).toEqual({ steps: [], findings: [] });
});

test('rules are asked about ten thousand steps, and warn once', () => {
  const rules = [
    'step.fields.exists(f, f.path.startsWith("z"))',
    '"team" in step.labels',
    'step.labels.team == "x"',
  ].map((when, index) => rule(when, { name: `${index}`, effect: 'warn' }));
  const fields = [{ path: 'description', before: 'a', after: 'b' }];
  const steps = several('update', 10_000).map((one) => ({ ...one, fields }));
  expect(runGuards(steps, world({ rules })).findings).toHaveLength(1);
});

test('a step that the planner leaves to a person is blocked with its dependents, and no other step is', () => {
  const steps = [
    step('update', 'UserGroup/A'),
    step('create', 'Policy/B', { dependsOn: [addressOf('UserGroup', 'A')] }),
    step('create', 'UserGroup/C'),
  ];
  const hold: GuardInput['hold'] = (all) =>
    all
      .filter(({ action }) => action === 'update')
      .map(({ address }) => ({
        guard: 'policy',
        severity: 'deny',
        message: 'Left to a person.',
        addresses: [address],
      }));
  const guarded = runGuards(steps, world({ hold }));
  expect(guarded.steps.map(({ action, message }) => [action, message])).toEqual([
    ['blocked', 'Left to a person.'],
    ['blocked', 'It needs UserGroup/A, which this plan does not apply.'],
    ['create', 'As asked.'],
  ]);
});

describe('an object that somebody changed is deleted only by agreement', () => {
  const recorded: ObjectFact = {
    ...{ stack: 's', how: 'created', applied: { description: 'a' }, observed: { enabled: true }, protect: false },
    identity: 'i',
  };
  const facts = new Map([[addressOf('UserGroup', 'Beta'), recorded]]);
  const asApplied = { description: 'a', enabled: true };
  const audit = { changedBy: 'Ann Lee', changedAt: '2026-11-20T10:00:00Z' };
  const remove = (over: Partial<Step> = {}): Step => step('delete', 'UserGroup/Beta', { observed: asApplied, ...over });
  const foundOf = (steps: readonly Step[], over: Partial<GuardInput> = {}): string[] =>
    told(steps, world({ facts, ...over })).findings;

  test.each<[what: string, over: Partial<Step>, says: string]>([
    ['another name', { liveName: 'Precious', audit }, 'is now named "Precious", last changed by Ann Lee on 2026-11-20'],
    ['another value', { observed: { ...asApplied, description: 'b' } }, 'has another description'],
    ['a value that no manifest named', { observed: { ...asApplied, enabled: false } }, 'has another enabled'],
    [
      'both',
      { liveName: 'Precious', observed: { description: 'b', enabled: false } },
      'is now named "Precious" and has another description, enabled',
    ],
  ])('%s', (_, over, says) => {
    const message = `Someone changed what would be deleted: UserGroup/Beta ${says}`;
    expect(foundOf([remove(over)])).toEqual([
      `deny changed-deletes ${message}. This needs \`--allow changed-deletes\`. {--allow changed-deletes} 1`,
    ]);
    expect(foundOf([remove(over)], { allow: ['changed-deletes'] })).toEqual([
      `warn changed-deletes ${message}; allowed by \`--allow changed-deletes\`. {--allow changed-deletes} 1`,
    ]);
  });

  test('an unchanged object, a copy, or one that the ledger lacks needs no agreement', () => {
    const { observed: _, ...unseen } = remove();
    expect(foundOf([remove(), unseen, remove({ reason: 'twin', liveName: 'x' })])).toEqual([]);
    expect(foundOf([step('delete', 'UserGroup/Other', { liveName: 'x', observed: {} })])).toEqual([]);
  });

  test('the message names only three of many objects', () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    const many = new Map(names.map((name) => [addressOf('UserGroup', name), recorded]));
    const steps = names.map((name) => step('delete', `UserGroup/${name}`, { observed: asApplied, liveName: 'x' }));
    expect(foundOf(steps, { facts: many })[0]).toContain('UserGroup/C is now named "x"; 2 more. This needs');
  });
});
