import { describe, expect, test } from 'vitest';
import type { Facts } from '#core/engine/find-live.js';
import { withoutDeadReferences } from '#core/engine/references.js';
import { addressOf } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { deadReference, type Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability, Observed } from '#core/model/observation.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';
import { type Described, manifestsOf, type Options, planned } from './planning-world.js';

interface World extends Options {
  readonly manifests?: readonly Described[];
  readonly objects?: Readonly<Record<string, readonly Observed[]>>;
  readonly facts?: Readonly<Record<string, ObjectFact>>;
  readonly can?: Partial<Capability>;
  readonly unlisted?: readonly string[];
  readonly jobs?: readonly JobFacts[];
}

const LOOKUPS = new Map([
  ['User', [['ann@x'], ['bo@x']]],
  ['Category:ITEMS', [['Resistor']]],
  ['Attribute:ITEMS', [['RoHS'], ['Weight']]],
]);

function planOf({ manifests = [], objects = {}, facts = {}, can = {}, unlisted = [], ...options }: World): Plan {
  const valid = manifestsOf(manifests);
  expect(valid.findings).toEqual([]);
  const { plan, findings } = planned({
    ...options,
    manifests: valid.manifests,
    observation: { objects: new Map(Object.entries(objects)), lookups: LOOKUPS, unlisted: new Set(unlisted) },
    facts: new Map(Object.entries(facts)) as unknown as Facts,
    capabilityOf: ({ collection }: Kind) => ({ ...(reference.collections[collection]?.can as Capability), ...can }),
  });
  expect(findings).toEqual([]);
  return plan;
}

/** Each step as `action reason address: fields -> writes => what the ledger says then`. */
const told = (plan: Plan): string[] => plan.steps.map(line);

function line({ action, wanted, reason, address, fields, writes, ...step }: Step): string {
  const what = `${action}${wanted === undefined ? '' : `(${wanted})`} ${reason} ${address}`;
  const changed = fields.map(({ path, cause }) => (cause === undefined ? path : `${path}=${cause}`));
  return [
    what + (changed.length === 0 ? '' : `: ${changed.join(' ')}`),
    `-> ${writes.map(written).join(' ')}`,
    ledger(step),
  ]
    .join(' ')
    .trim();
}

const written = (write: Write): string => {
  switch (write.verb) {
    case 'create':
    case 'update':
    case 'delete':
      return write.name === undefined ? write.verb : `${write.verb} "${write.name}"`;
    case 'retire':
      return `retire "${write.to}"`;
    case 'addChild':
    case 'removeChild':
      return `${write.verb} "${write.name}"`;
    default:
      return write.verb;
  }
};

function ledger({ fact, formerly }: Pick<Step, 'fact' | 'formerly'>): string {
  if (fact === undefined) return '';
  const former = formerly === undefined ? '' : ` not ${formerly}`;
  if (fact === null) return `=> nothing${former}`;
  return `=> ${fact.how} ${fact.identity ?? '?'}${fact.protect ? ' protected' : ''}${former}`;
}

const group = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Described => ({
  kind: 'UserGroup',
  metadata: { name, ...metadata },
  spec,
});
const live = (name: string, spec: JsonObject = {}, identity = name.toLowerCase()): Observed => ({
  name,
  spec,
  identity,
});
const own = (identity?: string, over: Partial<ObjectFact> = {}): ObjectFact => ({
  stack: 's',
  how: 'created',
  applied: {},
  protect: false,
  ...(identity === undefined ? {} : { identity }),
  ...over,
});

const definition = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Described => ({
  kind: 'ImportDefinition',
  metadata: { name, ...metadata },
  spec: { resource: 'ITEM_SPECS', mode: 'EDIT', ...spec },
});
const liveDefinition = (name: string, spec: JsonObject = {}, identity = name.toLowerCase()): Observed => ({
  ...live(name, { resource: 'ITEM_SPECS', mode: 'EDIT', ...spec }, identity),
  number: 7,
});
const trigger = (name: string, metadata: JsonObject = {}): Described => ({
  kind: 'Trigger',
  metadata: { name, ...metadata },
  spec: { resource: 'ITEM', action: 'EDIT' },
});
const liveTrigger = (name: string, identity = name.toLowerCase()): Observed =>
  live(name, { resource: 'ITEM', action: 'EDIT' }, identity);
const queue = (triggers?: readonly string[], metadata: JsonObject = {}): Described => ({
  kind: 'OutboundIntegration',
  metadata: { name: 'ERP', ...metadata },
  spec: triggers === undefined ? {} : { triggers },
});
const policy = (spec: JsonObject): Described => ({ kind: 'Policy', metadata: { name: 'Read' }, spec });

const job: JobFacts = {
  request: { path: 'parts.csv', spec: {}, definition: { spec: {}, content: {} } },
  sent: { stack: 's', definition: 'Old' },
  address: addressOf('Import', 'Parts'),
  key: 'k',
  rows: 3,
  source: 'parts.csv',
  definition: addressOf('ImportDefinition', 'Old'),
  when: 'changed',
  commits: 'by rule',
  rule: 'clean',
  needs: [],
  findings: { errors: 0, accepted: 'yes' },
  requests: { min: 4, max: 20 },
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
};

type Case = readonly [promise: string, world: World, expected: readonly string[]];

const CREATING = { resource: 'ITEM_SPECS', mode: 'CREATE' };
const REFUSED = own('a', { refused: CREATING });
const CLAIMED = { stack: 's', how: 'created', applied: CREATING, protect: false, former: own('a') } as ObjectFact;
const RETIRED = { ImportDefinition: [liveDefinition('A ~retired #7', {}, 'a')] };
const REPLACED = 'replace not-updatable ImportDefinition/A: mode=asked -> retire "A ~retired #7" create => created ?';

/** How a replacement goes on that was refused, or of which nothing more was recorded than what it was about to make. */
const UNFINISHED: readonly Case[] = [
  [
    'an object whose successor was refused gets its name back, and nothing else',
    { manifests: [definition('A', CREATING)], objects: RETIRED, facts: { 'ImportDefinition/A': REFUSED } },
    ['rename unfinished ImportDefinition/A: name=drift -> update "A" => created a'],
  ],
  [
    'it gets the present values of the manifest, where those need no successor',
    {
      manifests: [definition('A', { description: 'd' })],
      objects: RETIRED,
      facts: { 'ImportDefinition/A': REFUSED },
    },
    ['rename unfinished ImportDefinition/A: name=drift description=asked -> update "A" => created a'],
  ],
  [
    'another successor is created',
    { manifests: [definition('A', { mode: 'DELETE' })], objects: RETIRED, facts: { 'ImportDefinition/A': REFUSED } },
    ['create unfinished ImportDefinition/A: resource mode -> create => created ?'],
  ],
  [
    'the same one is created again where a person requests it',
    {
      manifests: [definition('A', CREATING)],
      objects: RETIRED,
      facts: { 'ImportDefinition/A': REFUSED },
      replace: ['ImportDefinition/A'],
    },
    ['create unfinished ImportDefinition/A: resource mode -> create => created ?'],
  ],
  [
    'an object that was claimed and not created is created',
    { manifests: [definition('A', CREATING)], objects: RETIRED, facts: { 'ImportDefinition/A': CLAIMED } },
    ['create unfinished ImportDefinition/A: resource mode -> create => created ?'],
  ],
  [
    'an object that got its name back is replaced',
    {
      manifests: [definition('A', CREATING)],
      objects: { ImportDefinition: [liveDefinition('A', {}, 'a')] },
      facts: { 'ImportDefinition/A': CLAIMED },
    },
    [REPLACED],
  ],
  [
    'a created object is recorded',
    {
      manifests: [definition('A', CREATING)],
      objects: { ImportDefinition: [...RETIRED.ImportDefinition, liveDefinition('A', CREATING, 'n')] },
      facts: { 'ImportDefinition/A': CLAIMED },
    },
    ['adopt unfinished ImportDefinition/A -> record => created n'],
  ],
  [
    'an object that somebody had named A before is followed by its successor, and the ledger forgets its old name',
    {
      manifests: [definition('A', CREATING)],
      objects: RETIRED,
      facts: { 'ImportDefinition/B': own('a') },
      prune: 'yes',
    },
    ['create unfinished ImportDefinition/A: resource mode -> create => created ? not ImportDefinition/B'],
  ],
  [
    'the old name stays where another manifest has it, whose object is created anew',
    {
      manifests: [definition('A', CREATING), definition('B')],
      objects: RETIRED,
      facts: { 'ImportDefinition/B': own('a') },
    },
    [
      'create unfinished ImportDefinition/A: resource mode -> create => created ?',
      'create unfinished ImportDefinition/B: resource mode -> create => created ?',
    ],
  ],
  [
    'an object that was adopted under the name of a retired one has nothing to do with its first name',
    {
      manifests: [definition('A', CREATING)],
      objects: RETIRED,
      facts: { 'ImportDefinition/A ~retired #7': own('a', { how: 'adopted' }) },
    },
    ['create absent ImportDefinition/A: resource mode -> create => created ?'],
  ],
  [
    'what another stack has renamed away, or nobody owns, is no business of this one',
    {
      manifests: [definition('A', CREATING)],
      objects: { ImportDefinition: [...RETIRED.ImportDefinition, liveDefinition('A ~retired #8', {}, 'z')] },
      facts: { 'ImportDefinition/B': own('a', { stack: 'other' }) },
    },
    ['create absent ImportDefinition/A: resource mode -> create => created ?'],
  ],
  [
    'a missing object is created',
    {
      manifests: [definition('A', CREATING)],
      objects: { ImportDefinition: [] },
      facts: { 'ImportDefinition/A': CLAIMED },
    },
    ['create absent ImportDefinition/A: resource mode -> create => created ?'],
  ],
];

describe('objects that share a managed name', () => {
  const objects = { UserGroup: [live('Quality', {}, 'twin'), live('Quality')] };
  const manifests = [group('Quality')];
  const cases: readonly Case[] = [
    [
      'are reported where this stack created one of them, though nothing differs',
      { manifests, objects, facts: { 'UserGroup/Quality': own('quality') } },
      ['blocked twin UserGroup/Quality ->'],
    ],
    [
      'and where something differs, which waits',
      {
        manifests: [group('Quality', { description: 'a' })],
        objects,
        facts: { 'UserGroup/Quality': own('quality') },
      },
      ['blocked twin UserGroup/Quality ->'],
    ],
    [
      'are not reported where somebody has chosen one of them',
      { manifests, objects, facts: { 'UserGroup/Quality': own('quality', { how: 'adopted' }) } },
      [],
    ],
    [
      'are left to another stack that owns them',
      { manifests, objects, facts: { 'UserGroup/Quality': own('quality', { stack: 'other' }) } },
      ['blocked other-stack UserGroup/Quality ->'],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => expect(told(planOf(world))).toEqual(expected));
});

describe('an object that no manifest describes now', () => {
  const old = {
    objects: { UserGroup: [live('Old', { description: 'a' })] },
    facts: { 'UserGroup/Old': own('old') },
    prune: 'yes',
  } as const;
  const cases: readonly Case[] = [
    ['is deleted', old, ['delete not-described UserGroup/Old: description -> delete "Old" => nothing']],
    ['stays without --prune', { ...old, prune: 'no' }, []],
    [
      'stays while it is protected, even if everything of the stack is destroyed',
      { ...old, prune: 'all', facts: { 'UserGroup/Old': own('old', { protect: true }) } },
      ['blocked(delete) protected UserGroup/Old: description ->'],
    ],
    [
      'is destroyed with all that the stack owns',
      { ...old, prune: 'all' },
      ['delete destroyed UserGroup/Old: description -> delete "Old" => nothing'],
    ],
    [
      'is deleted under the name that somebody gave it',
      { ...old, objects: { UserGroup: [live('New', {}, 'old')] } },
      ['delete not-described UserGroup/Old -> delete "New" => nothing'],
    ],
    [
      'is renamed away where the service cannot delete it',
      { ...old, can: { delete: false } },
      ['retire not-described UserGroup/Old -> retire "Old ~retired #0" => nothing'],
    ],
    [
      'to a name that is free',
      {
        ...old,
        objects: { UserGroup: [live('Old'), live('Old ~retired #0'), live('Old ~retired #1')] },
        can: { delete: false },
      },
      ['retire not-described UserGroup/Old -> retire "Old ~retired #2" => nothing'],
    ],
    [
      'and by its number where it has one',
      {
        objects: { ImportDefinition: [liveDefinition('Old')] },
        facts: { 'ImportDefinition/Old': own('old') },
        prune: 'yes',
      },
      ['retire not-described ImportDefinition/Old -> retire "Old ~retired #7" => nothing'],
    ],
    [
      'is left to a person where the service does neither',
      { ...old, can: { delete: false, update: [] } },
      ['manual not-supported UserGroup/Old: description ->'],
    ],
    [
      'are left to a person where the service does not show them',
      { ...old, objects: {}, unlisted: ['UserGroup'] },
      ['manual not-verifiable UserGroup/Old ->  => nothing'],
    ],
    [
      'stays while the ledger protects it',
      { ...old, facts: { 'UserGroup/Old': own('old', { protect: true }) } },
      ['blocked(delete) protected UserGroup/Old: description ->'],
    ],
    [
      'stays where it reserves numbers',
      {
        objects: { NumberReservation: [live('Old', { category: 'Resistor', itemNumbers: ['1'] })] },
        facts: { 'NumberReservation/Old': own('old') },
        prune: 'yes',
      },
      ['blocked(delete) made-once NumberReservation/Old: category itemNumbers ->'],
    ],
    ['is forgotten once it is gone', { ...old, objects: {} }, ['forget gone UserGroup/Old -> record => nothing']],
    [
      'is forgotten where another object has its name',
      { ...old, objects: { UserGroup: [live('Old', {}, 'another')] } },
      ['forget gone UserGroup/Old -> record => nothing'],
    ],
    [
      'is deleted where its creation was never answered, and it matches',
      { ...old, facts: { 'UserGroup/Old': own(undefined, { applied: { description: 'a', members: ['ann@x'] } }) } },
      ['delete not-described UserGroup/Old: description -> delete "Old" => nothing'],
    ],
    [
      'is forgotten where it does not match',
      { ...old, facts: { 'UserGroup/Old': own(undefined, { applied: { description: 'b' } }) } },
      ['forget gone UserGroup/Old -> record => nothing'],
    ],
    [
      'is forgotten where the matching object has another name',
      {
        ...old,
        objects: { UserGroup: [live('New', { description: 'a' })] },
        facts: { 'UserGroup/Old': own(undefined, { applied: { description: 'a' } }) },
      },
      ['forget gone UserGroup/Old -> record => nothing'],
    ],
    [
      'is forgotten where another stack owns the object with its name',
      {
        ...old,
        facts: {
          'UserGroup/Old': own(undefined, { applied: { description: 'a' } }),
          'UserGroup/Theirs': own('old', { stack: 'theirs' }),
        },
      },
      ['forget gone UserGroup/Old -> record => nothing'],
    ],
    [
      'stays where a manifest describes the very object under another name',
      {
        manifests: [group('New', { description: 'a' })],
        objects: { UserGroup: [live('New', { description: 'a' }, 'old')] },
        facts: { 'UserGroup/Old': own('old'), 'UserGroup/New': own('old') },
        prune: 'yes',
      },
      [],
    ],
    [
      'stays where another stack created it',
      { ...old, facts: { 'UserGroup/Old': own('old', { stack: 'other' }) } },
      [],
    ],
    ['stays where the command does not mean it', { ...old, mayDelete: () => false }, []],
    [
      'stays where a manifest adopts it under a new name',
      { ...old, manifests: [group('New', {}, { renamedFrom: 'Old' })] },
      ['rename renamed UserGroup/New: name -> update "New" => created old not UserGroup/Old'],
    ],
    [
      'stays where somebody gave it the name of a manifest',
      { ...old, objects: { UserGroup: [live('New', {}, 'old')] }, manifests: [group('New')] },
      ['adopt renamed-outside UserGroup/New -> record => created old not UserGroup/Old'],
    ],
    [
      'stays where a manifest may mean it',
      { ...old, objects: { UserGroup: [live('New', {}, 'old'), live('New')] }, manifests: [group('New')] },
      ['blocked ambiguous UserGroup/New ->'],
    ],
    [
      'is deleted once where the ledger knows it twice',
      {
        ...old,
        objects: { UserGroup: [live('New', {}, 'old')] },
        facts: { 'UserGroup/Old': own('old'), 'UserGroup/New': own('old') },
      },
      [
        'delete not-described UserGroup/New -> delete "New" => nothing',
        'forget renamed-outside UserGroup/Old -> record => nothing',
      ],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => expect(told(planOf(world))).toEqual(expected));
});

describe('an object that others refer to', () => {
  const world = (manifests: readonly Described[], facts: Record<string, ObjectFact> = {}): World => ({
    manifests,
    objects: { UserGroup: [live('Old')], Policy: [live('Read', { userGroups: ['Old'] })] },
    facts: { 'UserGroup/Old': own('old'), ...facts },
    prune: 'yes',
  });
  const ours = { 'Policy/Read': own('read') };
  const held = 'blocked(delete) still-referenced UserGroup/Old ->';
  const deleted = 'delete not-described UserGroup/Old -> delete "Old" => nothing';
  const cases: readonly Case[] = [
    ['stays where no manifest describes its referrers', world([]), [held]],
    ['stays where its manifest keeps the reference', world([policy({})], ours), [held]],
    [
      'is deleted after its manifest has let go',
      world([policy({ userGroups: [] })], ours),
      ['update differs Policy/Read: userGroups[Old]=asked -> update "Read" => created read', deleted],
    ],
    [
      'stays where a manifest changes another field of a referrer',
      world([policy({ description: 'other' })], ours),
      ['update differs Policy/Read: description=asked -> update "Read" => created read', held],
    ],
    [
      'stays where that does not happen',
      { ...world([policy({ userGroups: [] })]), adopt: 'never' },
      ['blocked(update) not-owned Policy/Read: userGroups[Old] ->', held],
    ],
    [
      'is deleted after its referrers are',
      world([], ours),
      ['delete not-described Policy/Read: userGroups -> delete "Read" => nothing', deleted],
    ],
    [
      'stays where a manifest begins to refer to it',
      { ...world([policy({ userGroups: ['Old'] })]), objects: { UserGroup: [live('Old')] } },
      ['create absent Policy/Read: userGroups[Old] -> create => created ?', held],
    ],
  ];
  test.each(cases)('%s', (_, given, expected) => expect(told(planOf(given))).toEqual(expected));

  test('is not renamed away while an import uses it', () => {
    const given: World = {
      objects: { ImportDefinition: [liveDefinition('Old')] },
      facts: { 'ImportDefinition/Old': own('old') },
      prune: 'yes',
      jobs: [job],
    };
    expect(told(planOf(given))).toContain('blocked(retire) still-referenced ImportDefinition/Old ->');
  });

  test('is deleted after the objects that let go of it', () => {
    const { steps } = planOf(world([policy({ userGroups: [] })], ours));
    expect(steps.map(({ address, dependsOn }) => [address, dependsOn])).toEqual([
      ['Policy/Read', []],
      ['UserGroup/Old', ['Policy/Read']],
    ]);
  });
});

describe('protection', () => {
  const free = { 'UserGroup/Quality': own('quality') };
  const held = { 'UserGroup/Quality': own('quality', { protect: true }) };
  const present = { UserGroup: [live('Quality', { description: 'a' })] };
  const fixed = { mode: 'OVERWRITE' };
  const specs = { ImportDefinition: [liveDefinition('Specs')] };
  const heldSpecs = { 'ImportDefinition/Specs': own('specs', { protect: true }) };
  const cases: readonly Case[] = [
    [
      'begins in the ledger alone',
      { manifests: [group('Quality', {}, { protect: true })], objects: present, facts: free },
      ['update protection UserGroup/Quality: metadata.protect=asked -> record => created quality protected'],
    ],
    [
      'ends there, too',
      { manifests: [group('Quality')], objects: present, facts: held },
      ['update protection UserGroup/Quality: metadata.protect=asked -> record => created quality'],
    ],
    [
      'begins with other changes',
      { manifests: [group('Quality', { description: 'b' }, { protect: true })], objects: present, facts: free },
      [
        'update differs UserGroup/Quality: description=asked metadata.protect=asked -> update "Quality" => created quality protected',
      ],
    ],
    ['goes on', { manifests: [group('Quality', {}, { protect: true })], objects: present, facts: held }, []],
    [
      'begins with an object that is adopted',
      { manifests: [group('Quality', {}, { protect: true })], objects: present, facts: {} },
      ['adopt not-owned UserGroup/Quality -> record => adopted quality protected'],
    ],
    [
      'keeps an object from being replaced',
      { manifests: [definition('Specs', fixed, { protect: true })], objects: specs, facts: heldSpecs },
      ['blocked(replace) protected ImportDefinition/Specs: mode=asked ->'],
    ],
    [
      'ends before a replacement, which is for the next plan',
      { manifests: [definition('Specs', fixed)], objects: specs, facts: heldSpecs },
      ['update protection ImportDefinition/Specs: metadata.protect=asked -> record => created specs'],
    ],
    [
      'ends so, and the object gets the name by which others call it',
      {
        manifests: [definition('Parts', { ...fixed, description: 'd' }, { renamedFrom: 'Specs' })],
        objects: specs,
        facts: heldSpecs,
      },
      [
        'rename renamed ImportDefinition/Parts: name description=asked metadata.protect=asked -> update "Parts" => created specs not ImportDefinition/Specs',
      ],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => expect(told(planOf(world))).toEqual(expected));
});

describe('--replace', () => {
  const address = 'UserGroup/Quality';
  const present = { UserGroup: [live('Quality', { description: 'a', members: ['ann@x'] })] };
  const ours = { [address]: own('quality') };
  const made = 'replace asked UserGroup/Quality -> retire "Quality ~retired #0" create addChild "ann@x" => created ?';
  const cases: readonly Case[] = [
    [
      'recreates an object with all that it had',
      { manifests: [group('Quality')], objects: present, facts: ours, replace: [address] },
      [made],
    ],
    [
      'retires it under a name that is free',
      {
        manifests: [group('Quality')],
        objects: { UserGroup: [live('Quality'), live('Quality ~retired #0')] },
        facts: ours,
        replace: [address],
      },
      ['replace asked UserGroup/Quality -> retire "Quality ~retired #1" create => created ?'],
    ],
    [
      'creates a missing object',
      { manifests: [group('Quality')], replace: [address] },
      ['create absent UserGroup/Quality -> create => created ?'],
    ],
    [
      'adopts nothing for that',
      { manifests: [group('Quality')], objects: present, replace: [address] },
      ['blocked(replace) not-owned UserGroup/Quality ->'],
    ],
    [
      'is left to a person where the service cannot rename it',
      { manifests: [group('Quality')], objects: present, facts: ours, replace: [address], can: { update: [] } },
      ['manual not-supported UserGroup/Quality ->'],
    ],
    [
      'consumes no more numbers',
      {
        manifests: [
          { kind: 'NumberReservation', metadata: { name: 'N' }, spec: { category: 'Resistor', quantity: 1 } },
        ],
        objects: { NumberReservation: [live('N', { category: 'Resistor', itemNumbers: ['1'] })] },
        facts: { 'NumberReservation/N': own('n') },
        replace: ['NumberReservation/N'],
      },
      ['blocked made-once NumberReservation/N ->'],
    ],
    [
      'makes no second object of a name',
      {
        manifests: [group('Quality')],
        objects: { UserGroup: [live('Quality'), live('Quality', {}, 'twin')] },
        facts: { [address]: own('quality', { how: 'adopted' }) },
        replace: [address],
      },
      ['blocked(replace) ambiguous UserGroup/Quality ->'],
    ],
    [
      'keeps no reference to a deleted object',
      {
        manifests: [policy({})],
        objects: { Policy: [live('Read', { userGroups: [deadReference('UserGroup')] })] },
        facts: { 'Policy/Read': own('read') },
        replace: ['Policy/Read'],
      },
      ['blocked(replace) dead-reference Policy/Read ->'],
    ],
    [
      'sends the new object to its referrers, once that is there',
      {
        manifests: [trigger('T'), queue(['T'])],
        objects: { Trigger: [liveTrigger('T')], OutboundIntegration: [live('ERP', { triggers: ['T'] })] },
        facts: { 'Trigger/T': own('t'), 'OutboundIntegration/ERP': own('erp') },
        replace: ['Trigger/T'],
      },
      [
        'replace asked Trigger/T -> retire "T ~retired #0" create => created ?',
        'update differs OutboundIntegration/ERP: triggers[T]=asked triggers[T ~retired #0]=asked -> addChild "T" removeChild "T ~retired #0" => created erp',
      ],
    ],
    [
      'leaves what refers to it and says nothing of it',
      {
        manifests: [trigger('T'), queue()],
        objects: { Trigger: [liveTrigger('T')], OutboundIntegration: [live('ERP', { triggers: ['T'] })] },
        facts: { 'Trigger/T': own('t'), 'OutboundIntegration/ERP': own('erp') },
        replace: ['Trigger/T'],
      },
      ['replace asked Trigger/T -> retire "T ~retired #0" create => created ?'],
    ],
    [
      'of both: the new one refers to the new one',
      {
        manifests: [trigger('T'), queue(['T'])],
        objects: { Trigger: [liveTrigger('T')], OutboundIntegration: [live('ERP', { triggers: ['T'] })] },
        facts: { 'Trigger/T': own('t'), 'OutboundIntegration/ERP': own('erp') },
        replace: ['Trigger/T', 'OutboundIntegration/ERP'],
      },
      [
        'replace asked Trigger/T -> retire "T ~retired #0" create => created ?',
        'replace asked OutboundIntegration/ERP -> retire "ERP ~retired #0" create addChild "T" => created ?',
      ],
    ],
    [
      'of a renamed object: its referrers are told, too',
      {
        manifests: [trigger('T'), queue([])],
        objects: { Trigger: [liveTrigger('U', 't')], OutboundIntegration: [live('ERP', { triggers: ['U'] })] },
        facts: { 'Trigger/T': own('t'), 'OutboundIntegration/ERP': own('erp') },
        replace: ['Trigger/T'],
      },
      [
        'replace asked Trigger/T: name=drift -> retire "T ~retired #0" create => created ?',
        'update differs OutboundIntegration/ERP: triggers[T ~retired #0]=asked -> removeChild "T ~retired #0" => created erp',
      ],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => expect(told(planOf(world))).toEqual(expected));

  test('a retired definition does not send references to deleted objects', () => {
    const { steps } = planOf({
      manifests: [policy({ userGroups: [] })],
      objects: {
        Policy: [live('Read', { enabled: true, userGroups: ['(deleted UserGroup)', 'Quality'] })],
        UserGroup: [live('Quality')],
      },
      facts: { 'Policy/Read': own('read') },
      replace: ['Policy/Read'],
    });
    expect(steps[0]?.writes[0]).toEqual({
      verb: 'retire',
      to: 'Read ~retired #0',
      fields: { enabled: true, userGroups: ['Quality'] },
    });
  });

  test('a definition loses the columns of deleted attributes when it is retired, and nothing else', () => {
    const entry = { resource: 'ITEM_SPECS', attribute: deadReference('attribute'), sourceName: 'Gone' };
    const kept = { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' };
    const options = { stripWhiteSpace: 'STRIP', mapping: [entry, kept] };
    expect(withoutDeadReferences({ options, category: deadReference('Category'), description: 'd' })).toEqual({
      options: { stripWhiteSpace: 'STRIP', mapping: [kept] },
      description: 'd',
    });
  });
});

describe('the author of a difference', () => {
  const causes = (
    kind: string,
    { desired, applied, observed }: Record<'desired' | 'applied' | 'observed', JsonObject>,
  ) => {
    const fixed: JsonObject = kind === 'ImportDefinition' ? { resource: 'ITEM_SPECS', mode: 'EDIT' } : {};
    const { steps } = planOf({
      manifests: [{ kind, metadata: { name: 'X' }, spec: { ...fixed, ...desired } }],
      objects: { [kind]: [live('X', { ...fixed, ...observed })] },
      facts: { [`${kind}/X`]: own('x', { applied: { ...fixed, ...applied } }) },
    });
    return steps.flatMap(({ fields }) => fields.map(({ path, cause }) => `${path} ${cause}`));
  };
  const rules = (...actions: readonly string[]): Json => [{ resource: 'ITEM', actions }];
  const change = { resource: 'CHANGE', actions: ['READ'] };
  const cases: readonly (readonly [
    what: string,
    kind: string,
    sides: { desired: JsonObject; applied: JsonObject; observed: JsonObject },
    expected: readonly string[],
  ])[] = [
    [
      'a value: the manifest',
      'UserGroup',
      sides({ description: 'b' }, { description: 'a' }, { description: 'a' }),
      ['description asked'],
    ],
    [
      'a value: somebody',
      'UserGroup',
      sides({ description: 'a' }, { description: 'a' }, { description: 'b' }),
      ['description drift'],
    ],
    [
      'a value: both',
      'UserGroup',
      sides({ description: 'b' }, { description: 'a' }, { description: 'c' }),
      ['description both'],
    ],
    [
      'a value: both, to the same',
      'UserGroup',
      sides({ description: 'b' }, { description: 'a' }, { description: 'b' }),
      [],
    ],
    [
      'a value that is named for the first time',
      'UserGroup',
      sides({ description: 'b' }, {}, { description: 'a' }),
      ['description asked'],
    ],
    [
      'a value that is cleared',
      'UserGroup',
      sides({ description: null }, { description: 'a' }, { description: 'a' }),
      ['description asked'],
    ],
    [
      'a cleared value that somebody filled',
      'UserGroup',
      sides({ description: null }, { description: null }, { description: 'a' }),
      ['description drift'],
    ],
    [
      'a value that somebody took away',
      'UserGroup',
      sides({ description: 'a' }, { description: 'a' }, {}),
      ['description drift'],
    ],
    [
      'a default that the service filled in',
      'UserGroup',
      sides({ enabled: false }, {}, { enabled: true }),
      ['enabled asked'],
    ],
    ['an unchanged default', 'UserGroup', sides({ enabled: true }, { enabled: true }, {}), []],
    [
      'a default to which somebody returned',
      'UserGroup',
      sides({ enabled: false }, { enabled: false }, { enabled: true }),
      ['enabled drift'],
    ],
    [
      'a member: the manifest',
      'UserGroup',
      sides({ members: ['ann@x', 'bo@x'] }, { members: ['ann@x'] }, { members: ['ann@x'] }),
      ['members[bo@x] asked'],
    ],
    [
      'a member: somebody',
      'UserGroup',
      sides({ members: ['ann@x'] }, { members: ['ann@x'] }, { members: ['ann@x', 'bo@x'] }),
      ['members[bo@x] drift'],
    ],
    [
      'members: each on its own',
      'UserGroup',
      sides({ members: ['ann@x'] }, { members: [] }, { members: ['bo@x'] }),
      ['members[ann@x] asked', 'members[bo@x] drift'],
    ],
    [
      'a set',
      'UserGroup',
      sides({ assignability: ['CHANGES'] }, { assignability: ['CHANGES', 'QUALITY'] }, { assignability: ['QUALITY'] }),
      ['assignability[CHANGES] drift', 'assignability[QUALITY] asked'],
    ],
    [
      'an entry: the manifest',
      'Policy',
      sides({ rules: rules('READ', 'EDIT') }, { rules: rules('READ') }, { rules: rules('READ') }),
      ['rules[ITEM].actions[EDIT] asked'],
    ],
    [
      'an entry: somebody',
      'Policy',
      sides({ rules: rules('READ') }, { rules: rules('READ') }, { rules: [] }),
      ['rules[ITEM] drift'],
    ],
    [
      'an entry: both, one inside the value that the other removed',
      'Policy',
      sides({ rules: rules('READ', 'EDIT') }, { rules: rules('READ') }, { rules: [change] }),
      ['rules[ITEM] both', 'rules[CHANGE] drift'],
    ],
    [
      'a value inside another',
      'ImportDefinition',
      sides(
        { options: { matchDuplicates: 'ERROR', stripWhiteSpace: 'RETAIN' } },
        { options: { matchDuplicates: 'ERROR' } },
        { options: { matchDuplicates: 'APPLY_TO_ALL', stripWhiteSpace: 'STRIP' } },
      ),
      ['options.matchDuplicates drift', 'options.stripWhiteSpace asked'],
    ],
    [
      'all of it, cleared',
      'ImportDefinition',
      sides({ options: null }, { options: { stripWhiteSpace: 'RETAIN' } }, { options: { stripWhiteSpace: 'RETAIN' } }),
      ['options.stripWhiteSpace asked'],
    ],
  ];
  test.each(cases)('%s', (_, kind, given, expected) => expect(causes(kind, given)).toEqual(expected));

  test('shows the last applied value where both changed it', () => {
    const { steps } = planOf({
      manifests: [group('Quality', { description: 'b' })],
      objects: { UserGroup: [live('Quality', { description: 'c' })] },
      facts: { 'UserGroup/Quality': own('quality', { applied: { description: 'a' } }) },
    });
    expect(steps[0]?.fields).toEqual([{ path: 'description', before: 'c', after: 'b', cause: 'both', applied: 'a' }]);
  });
});

const sides = (desired: JsonObject, applied: JsonObject, observed: JsonObject) => ({ desired, applied, observed });

describe('facts and notes beside the steps', () => {
  const groups = (...names: readonly string[]) => ({
    objects: { UserGroup: names.map((name) => live(name)) },
    facts: Object.fromEntries(names.map((name) => [`UserGroup/${name}`, own(name.toLowerCase())])),
  });
  const spec = { description: 'd', enabled: true, assignability: ['CHANGES', 'QUALITY'], members: ['ann@x'] };
  const alike = (...names: readonly string[]) => ({
    objects: { UserGroup: names.map((name) => live(name, spec)) },
    facts: Object.fromEntries(names.map((name) => [`UserGroup/${name}`, own(name.toLowerCase(), { applied: spec })])),
    prune: 'yes' as const,
  });
  const renamed =
    'looks-renamed UserGroup/New is created, and UserGroup/Old, which is no longer in any manifest, is similar. If it was renamed, add `renamedFrom: Old` to the metadata of "New".';
  const cases: readonly Case[] = [
    [
      'objects left over',
      groups('A'),
      [
        'left-over 1 object of this stack is no longer in any manifest: UserGroup/A. `--prune` plans its removal; `dexsync forget` keeps it.',
      ],
    ],
    [
      'only some of many are named',
      groups('A', 'B', 'C', 'D', 'E', 'F', 'G'),
      [
        'left-over 7 objects of this stack are no longer in any manifest: UserGroup/A, UserGroup/B, UserGroup/C, UserGroup/D, UserGroup/E and 2 more. `--prune` plans their removal; `dexsync forget` keeps them.',
      ],
    ],
    ['not pruned objects', { ...groups('A'), prune: 'yes' }, []],
    [
      'destroyed objects',
      { ...groups('A'), prune: 'all' },
      [
        'destroy This plan removes everything that stack "s" created or adopted, whether or not it is in a manifest. Protected objects stay; imported data stays. The manifests are not changed: `dexsync apply` would create the objects again.',
      ],
    ],
    ['nothing of destroying where there is nothing', { prune: 'all' }, []],
    ['not objects outside the command', { ...groups('A'), mayDelete: () => false }, []],
    ['not renamed objects', { ...groups('A'), manifests: [group('B', {}, { renamedFrom: 'A' })] }, []],
    [
      'not an object that a manifest has under its new name',
      {
        objects: { UserGroup: [live('B', {}, 'a')] },
        facts: { 'UserGroup/A': own('a') },
        manifests: [group('B')],
      },
      [],
    ],
    [
      'a matching object that nobody adopted',
      { manifests: [group('A')], objects: { UserGroup: [live('A')] }, adopt: 'never' },
      [
        'not-owned 1 object is unchanged, but not owned by this stack: UserGroup/A. `--adopt` adopts it, so that drift is reported and `--prune` can remove it.',
      ],
    ],
    [
      'several of those',
      { manifests: [group('A'), group('B')], objects: { UserGroup: [live('A'), live('B')] }, adopt: 'never' },
      [
        'not-owned 2 objects are unchanged, but not owned by this stack: UserGroup/A, UserGroup/B. `--adopt` adopts them, so that drift is reported and `--prune` can remove them.',
      ],
    ],
    ['an object like one left over', { ...alike('Old'), manifests: [group('New', spec)] }, [renamed]],
    [
      'also where one of four fields is another',
      { ...alike('Old'), manifests: [group('New', { ...spec, description: 'e' })] },
      [renamed],
    ],
    [
      'not where two are',
      { ...alike('Old'), manifests: [group('New', { ...spec, description: 'e', enabled: false })] },
      [],
    ],
    ['not where two are like it', { ...alike('Old', 'Older'), manifests: [group('New', spec)] }, []],
    ['not where nothing is named', { ...alike('Old'), manifests: [group('New')] }, []],
  ];
  test.each(cases)('%s', (_, world, expected) =>
    expect(planOf(world).notes.map(({ code, message }) => `${code} ${message}`)).toEqual(expected),
  );
});

describe('the object that the ledger means', () => {
  const cases: readonly Case[] = [
    [
      'one that an apply made before it was cut off is learned',
      {
        manifests: [group('A', { members: ['ann@x'] })],
        objects: { UserGroup: [live('A', { members: ['ann@x'] })] },
        facts: { 'UserGroup/A': own(undefined, { applied: { members: ['ann@x'] } }) },
      },
      ['adopt unfinished UserGroup/A -> record => created a'],
    ],
    [
      'its children follow',
      {
        manifests: [group('A', { members: ['ann@x'] })],
        objects: { UserGroup: [live('A', { members: [] })] },
        facts: { 'UserGroup/A': own(undefined, { applied: { members: ['ann@x'] } }) },
      },
      ['update differs UserGroup/A: members[ann@x]=drift -> addChild "ann@x" => created a'],
    ],
    [
      'numbers that were reserved for us are ours',
      {
        manifests: [
          { kind: 'NumberReservation', metadata: { name: 'N' }, spec: { category: 'Resistor', quantity: 1 } },
        ],
        objects: { NumberReservation: [live('N', { category: 'Resistor', itemNumbers: ['1'] })] },
        facts: { 'NumberReservation/N': own(undefined, { applied: { category: 'Resistor', quantity: 1 } }) },
        adopt: 'never',
      },
      ['adopt unfinished NumberReservation/N -> record => created n'],
    ],
    [
      'two that swapped their names, or their GUIDs, are adopted by agreement',
      {
        manifests: [group('A'), group('B')],
        objects: { UserGroup: [live('A', {}, 'b'), live('B', {}, 'a')] },
        facts: { 'UserGroup/A': own('a'), 'UserGroup/B': own('b') },
      },
      [
        'adopt replaced-outside UserGroup/A -> record => adopted b',
        'adopt replaced-outside UserGroup/B -> record => adopted a',
      ],
    ],
    [
      'an object that took a name is recorded before the name goes to a new one',
      {
        manifests: [group('A'), group('B')],
        objects: { UserGroup: [live('B', {}, 'a')] },
        facts: { 'UserGroup/A': own('a') },
      },
      [
        'adopt renamed-outside UserGroup/B -> record => created a',
        'create renamed-outside UserGroup/A -> create => created ?',
      ],
    ],
    [
      'an object of another stack is not touched under another name',
      {
        manifests: [group('B')],
        objects: { UserGroup: [live('B', {}, 'a')] },
        facts: { 'UserGroup/A': own('a', { stack: 'other' }) },
      },
      ['blocked other-stack UserGroup/B ->'],
    ],
    [
      'nor does its object lose its place in the ledger to a new one',
      {
        manifests: [group('A'), group('B')],
        objects: { UserGroup: [live('B', {}, 'a')] },
        facts: { 'UserGroup/A': own('a', { stack: 'other' }) },
      },
      ['blocked other-stack UserGroup/B ->', 'blocked other-stack UserGroup/A ->'],
    ],
    [
      'a replacement that was cut off after the old one was renamed away resumes with the new one',
      {
        manifests: [group('A', { description: 'd' })],
        objects: { UserGroup: [live('A ~retired #7', {}, 'a')] },
        facts: { 'UserGroup/A': own('a') },
      },
      ['create unfinished UserGroup/A: description -> create => created ?'],
    ],
    ...UNFINISHED,
    [
      'a retirement that was cut off after it was done is over',
      {
        objects: { UserGroup: [live('A ~retired #7', {}, 'a'), live('B ~retired', {}, 'b')] },
        facts: { 'UserGroup/A': own('a'), 'UserGroup/B': own('b') },
        prune: 'yes',
      },
      [
        'forget unfinished UserGroup/A -> record => nothing',
        'delete not-described UserGroup/B -> delete "B ~retired" => nothing',
      ],
    ],
    [
      'an object that took the name of our own is adopted only by agreement',
      {
        manifests: [group('A', { description: 'd' })],
        objects: { UserGroup: [live('A', {}, 'b'), live('Z', {}, 'a')] },
        facts: { 'UserGroup/A': own('a') },
      },
      ['update replaced-outside UserGroup/A: description -> update "A" => adopted b'],
    ],
    [
      'a rename that was cut off before it was recorded is over',
      {
        manifests: [group('B', {}, { renamedFrom: 'A' })],
        objects: { UserGroup: [live('B', {}, 'a'), live('A', {}, 'twin')] },
        facts: { 'UserGroup/A': own('a') },
      },
      ['adopt renamed-outside UserGroup/B -> record => created a not UserGroup/A'],
    ],
    [
      'so is one whose object was renamed again',
      {
        manifests: [group('B', {}, { renamedFrom: 'A' })],
        objects: { UserGroup: [live('C', {}, 'b'), live('A')] },
        facts: { 'UserGroup/B': own('b') },
      },
      ['rename renamed-outside UserGroup/B: name=drift -> update "B" => created b'],
    ],
    [
      'a rename follows an object that somebody renamed meanwhile',
      {
        manifests: [group('B', {}, { renamedFrom: 'A' })],
        objects: { UserGroup: [live('C', {}, 'a')] },
        facts: { 'UserGroup/A': own('a') },
      },
      ['rename renamed-outside UserGroup/B: name=drift -> update "B" => created a not UserGroup/A'],
    ],
    [
      'a rename adopts an object without an owner',
      { manifests: [group('B', {}, { renamedFrom: 'A' })], objects: { UserGroup: [live('A')] } },
      ['rename renamed UserGroup/B: name -> update "B" => adopted a'],
    ],
    [
      'an entry removed from a set has the name that it gets first',
      {
        manifests: [trigger('T', { renamedFrom: 'S' }), queue([])],
        objects: { Trigger: [liveTrigger('S', 't')], OutboundIntegration: [live('ERP', { triggers: ['S'] })] },
        facts: { 'Trigger/S': own('t'), 'OutboundIntegration/ERP': own('erp') },
      },
      [
        'rename renamed Trigger/T: name -> update "T" => created t not Trigger/S',
        'update differs OutboundIntegration/ERP: triggers[T]=asked -> removeChild "T" => created erp',
      ],
    ],
    [
      'and waits where it does not get it',
      {
        manifests: [trigger('T', { renamedFrom: 'S' }), queue([])],
        objects: { Trigger: [liveTrigger('S', 't')], OutboundIntegration: [live('ERP', { triggers: ['S'] })] },
        facts: { 'OutboundIntegration/ERP': own('erp') },
        adopt: 'never',
      },
      [
        'blocked(rename) not-owned Trigger/T: name ->',
        'blocked(update) dependency-blocked OutboundIntegration/ERP: triggers[T]=asked ->',
      ],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => expect(told(planOf(world))).toEqual(expected));

  test('a reference by a name that somebody gave an object of ours is refused: the object loses that name', () => {
    const { findings } = planned({
      manifests: manifestsOf([trigger('T'), queue(['U'])]).manifests,
      observation: { objects: new Map([['Trigger', [liveTrigger('U', 't')]]]), lookups: LOOKUPS, unlisted: new Set() },
      facts: new Map([[addressOf('Trigger', 'T'), own('t')]]),
      capabilityOf: ({ collection }: Kind) => reference.collections[collection]?.can as Capability,
    });
    expect(findings).toEqual([
      {
        severity: 'error',
        code: 'reference-renamed',
        message:
          'OutboundIntegration/ERP refers to Trigger/U, which someone renamed to Trigger/T; this plan restores its name.',
        hint: 'Write "T".',
        origin: { file: 'OutboundIntegration-ERP.yaml', line: 1, column: 1, layer: 'base' },
      },
    ]);
  });
});

describe('the texts of a step', () => {
  const audit = {
    createdBy: 'Ann Lee',
    createdAt: '2026-11-20T10:00:00Z',
    changedBy: 'Bo Lee',
    changedAt: '2026-11-21T10:00:00Z',
  };
  const made = (name: string, spec: JsonObject = {}, identity = 'q'): Observed => ({
    ...live(name, spec, identity),
    number: 7,
    audit,
  });
  const quality = group('Quality', { description: 'a' });
  const former = group('Quality', { description: 'a' }, { renamedFrom: 'QA' });
  const ours = { 'UserGroup/Quality': own('q') };
  const same = { description: 'a' };
  const specs = { ImportDefinition: [{ ...liveDefinition('Specs', {}, 'q') }] };
  const old = { objects: { UserGroup: [made('Old')] }, facts: { 'UserGroup/Old': own('q') }, prune: 'yes' } as const;
  const because = 'This stack created or adopted it, and it is no longer in any manifest.';
  const forget = 'Or give up ownership with `dexsync forget UserGroup/Old`.';
  const cases: readonly (readonly [promise: string, world: World, message: string])[] = [
    ['new', { manifests: [quality] }, 'Not in the workspace yet.'],
    [
      'new, though it says it was renamed',
      { manifests: [former] },
      'Not in the workspace, and neither is "QA", the name in its `renamedFrom`.',
    ],
    [
      'deleted by others',
      { manifests: [quality], facts: ours },
      'Someone deleted it after the last apply; it is created again.',
    ],
    [
      'renamed away by an apply that was cut off',
      { manifests: [quality], objects: { UserGroup: [made('Quality ~retired #7')] }, facts: ours },
      'An interrupted apply renamed the old object to "Quality ~retired #7"; this step creates the new one.',
    ],
    [
      'renamed away for good by an apply that was cut off',
      { objects: { UserGroup: [made('Old ~retired #7')] }, facts: { 'UserGroup/Old': own('q') }, prune: 'yes' },
      'An interrupted apply has already retired it; its ledger entry is removed, and nothing is sent.',
    ],
    [
      'one field',
      { manifests: [quality], objects: { UserGroup: [made('Quality')] }, facts: ours },
      'description differs from the manifest.',
    ],
    [
      'as it should be, after an update that was cut off',
      {
        manifests: [quality],
        objects: { UserGroup: [made('Quality', same)] },
        facts: { 'UserGroup/Quality': own('q', { applied: same, former: own('q') }) },
      },
      'An interrupted apply was updating it; the ledger records it, and nothing is sent.',
    ],
    [
      'renamed',
      { manifests: [former], objects: { UserGroup: [made('QA')] }, facts: { 'UserGroup/QA': own('q') } },
      'Renamed from "QA".',
    ],
    [
      'renamed by others',
      { manifests: [quality], objects: { UserGroup: [made('Elsewhere')] }, facts: ours },
      'Someone renamed it to "Elsewhere", last changed by Bo Lee on 2026-11-21; this gives it the name in its manifest.',
    ],
    [
      'renamed by others to its name in the manifest',
      { manifests: [quality], objects: { UserGroup: [made('Quality', same)] }, facts: { 'UserGroup/QA': own('q') } },
      'It was UserGroup/QA until someone renamed it, last changed by Bo Lee on 2026-11-21; the ledger records its new name, and nothing is sent.',
    ],
    [
      'cut off',
      {
        manifests: [quality],
        objects: { UserGroup: [made('Quality', same)] },
        facts: { 'UserGroup/Quality': own(undefined, { applied: same }) },
      },
      'An interrupted apply created it; the ledger records it, and nothing is sent.',
    ],
    [
      'adopted and changed',
      { manifests: [quality], objects: { UserGroup: [made('Quality')] } },
      'This stack did not create it (#7, created by Ann Lee on 2026-11-20). It is adopted. description differs from the manifest.',
    ],
    [
      'adopted',
      { manifests: [quality], objects: { UserGroup: [live('Quality', same)] } },
      'This stack did not create it. It matches the manifest and is adopted; nothing is sent.',
    ],
    [
      'not adopted',
      { manifests: [quality], objects: { UserGroup: [made('Quality')] }, adopt: 'never' },
      'This stack did not create it (#7, created by Ann Lee on 2026-11-20). `--adopt` adopts all such objects, `dexsync adopt UserGroup/Quality` adopts this one.',
    ],
    [
      'another one where ours is gone',
      {
        manifests: [quality],
        objects: { UserGroup: [made('Quality')] },
        facts: { 'UserGroup/Quality': own('gone') },
        adopt: 'never',
      },
      'The object that this stack created was deleted; another object has its name (#7, created by Ann Lee on 2026-11-20). `--adopt` adopts all such objects, `dexsync adopt UserGroup/Quality` adopts this one.',
    ],
    [
      'another one where ours has another name',
      {
        manifests: [quality],
        objects: { UserGroup: [live('Quality', same), live('Elsewhere', same, 'q')] },
        facts: ours,
      },
      'The object that this stack created is now named "Elsewhere"; another object has its name. It matches the manifest and is adopted; nothing is sent.',
    ],
    [
      'of another stack',
      {
        manifests: [quality],
        objects: { UserGroup: [made('Quality')] },
        facts: { 'UserGroup/Quality': own('q', { stack: 'other' }) },
      },
      'It belongs to the stack "other", which created or adopted it. Run `dexsync forget UserGroup/Quality` in that project first.',
    ],
    [
      'two of its name',
      { manifests: [quality], objects: { UserGroup: [made('Quality'), { ...live('Quality', {}, 'r'), number: 9 }] } },
      '2 objects in the workspace are named "Quality": #7, created by Ann Lee on 2026-11-20; #9. Rename all but one, or choose one with `dexsync adopt UserGroup/Quality --number N`.',
    ],
    [
      'both names',
      { manifests: [former], objects: { UserGroup: [made('Quality'), made('QA', {}, 'r')] } },
      'Its `renamedFrom` is "QA", and the workspace has objects with both names, last changed by Bo Lee on 2026-11-21. Rename or delete one of them, or remove `renamedFrom` if UserGroup/Quality is the right one.',
    ],
    [
      'a name of its own, and a former one that others changed',
      {
        manifests: [former],
        objects: { UserGroup: [made('Quality'), made('Elsewhere', {}, 'r')] },
        facts: { 'UserGroup/QA': own('r') },
      },
      'Its `renamedFrom` is "QA", which is now named "Elsewhere", last changed by Bo Lee on 2026-11-21, and another object is named "Quality". Rename or delete one of them, or remove `renamedFrom` if UserGroup/Quality is the right one.',
    ],
    [
      'protected from now on',
      { manifests: [group('Quality', {}, { protect: true })], objects: { UserGroup: [made('Quality')] }, facts: ours },
      'It becomes protected; nothing is sent.',
    ],
    [
      'protected, and to be replaced',
      {
        manifests: [definition('Specs', { mode: 'DELETE' }, { protect: true })],
        objects: specs,
        facts: { 'ImportDefinition/Specs': own('q', { protect: true }) },
      },
      'The service cannot update mode. It would have to be replaced, but it is protected: set `protect: false` and apply that first.',
    ],
    [
      'protected no longer, and to be replaced',
      {
        manifests: [definition('Specs', { mode: 'DELETE' })],
        objects: specs,
        facts: { 'ImportDefinition/Specs': own('q', { protect: true }) },
      },
      'It is no longer protected; nothing is sent. The service cannot update mode. The next plan replaces it.',
    ],
    [
      'protected no longer, renamed, and to be replaced',
      {
        manifests: [definition('Parts', { mode: 'DELETE' }, { renamedFrom: 'Specs' })],
        objects: specs,
        facts: { 'ImportDefinition/Specs': own('q', { protect: true }) },
      },
      'Renamed from "Specs". It is no longer protected. The service cannot update mode. The next plan replaces it.',
    ],
    [
      'replaced',
      {
        manifests: [definition('Specs', { mode: 'DELETE' })],
        objects: specs,
        facts: { 'ImportDefinition/Specs': own('q') },
      },
      'The service cannot update mode. The old object is kept as "Specs ~retired #7".',
    ],
    [
      'replaced once more',
      {
        manifests: [definition('Specs', { mode: 'DELETE' })],
        objects: { ImportDefinition: [...specs.ImportDefinition, liveDefinition('Specs ~retired #3')] },
        facts: { 'ImportDefinition/Specs': own('q') },
      },
      'The service cannot update mode. The old object is kept as "Specs ~retired #7". (1 retired before.)',
    ],
    [
      'created twice',
      {
        manifests: [definition('Specs', {})],
        objects: {
          ImportDefinition: [{ ...liveDefinition('Specs', {}, 'twin'), number: 9 }, ...specs.ImportDefinition],
        },
        facts: { 'ImportDefinition/Specs': own('q') },
      },
      '2 objects in the workspace are named "Specs": #7; #9. This stack owns the first. If the object was created twice by mistake, rename or delete the other one in the workspace. If both are intended, choose one with `dexsync forget ImportDefinition/Specs` and `dexsync adopt ImportDefinition/Specs --number N`.',
    ],
    [
      'not replaced beside an object of the same name',
      {
        manifests: [definition('Specs', { mode: 'DELETE' })],
        objects: { ImportDefinition: [...specs.ImportDefinition, liveDefinition('Specs', {}, 'twin')] },
        facts: { 'ImportDefinition/Specs': own('q', { how: 'adopted' }) },
      },
      'The service cannot update mode. It would have to be replaced, but another object has the same name: rename or delete that one first.',
    ],
    [
      'not replaced without what was deleted',
      {
        manifests: [definition('Specs', { mode: 'DELETE' })],
        objects: {
          ImportDefinition: [
            liveDefinition(
              'Specs',
              {
                options: {
                  mapping: [{ resource: 'ITEM_SPECS', attribute: deadReference('attribute'), sourceName: 'Gone' }],
                },
              },
              'q',
            ),
          ],
        },
        facts: { 'ImportDefinition/Specs': own('q') },
      },
      'The service cannot update mode. It would have to be replaced, but fields that are not in the manifest refer to a deleted object: add them to the manifest.',
    ],
    [
      'replaced only by agreement',
      { manifests: [definition('Specs', { mode: 'DELETE' })], objects: specs },
      'This stack did not create it (#7). The service cannot update mode. The old object is kept as "Specs ~retired #7". Only objects that this stack created or adopted are replaced: run `dexsync adopt ImportDefinition/Specs` first.',
    ],
    ['deleted', old, because],
    [
      'retired',
      { ...old, can: { delete: false } },
      `${because} The service cannot delete UserGroup objects: it is renamed to "Old ~retired #7".`,
    ],
    [
      'neither',
      { ...old, can: { delete: false, update: [] } },
      `${because} The service can neither delete nor rename UserGroup objects; do it manually. ${forget}`,
    ],
    [
      'not reported',
      { ...old, objects: {}, unlisted: ['UserGroup'] },
      `${because} The service does not list UserGroup objects; look for it manually. ${forget}`,
    ],
    [
      'not deleted while it is protected',
      { ...old, facts: { 'UserGroup/Old': own('q', { protect: true }) } },
      `${because} It is protected: restore its manifest with \`protect: false\` and apply that first. ${forget}`,
    ],
    [
      'not deleted while something refers to it',
      { ...old, objects: { ...old.objects, Policy: [live('Read', { userGroups: ['Old'] })] } },
      'Policy/Read still refers to it. Remove that reference first.',
    ],
    ['gone', { ...old, objects: {} }, 'It is no longer in the workspace; its ledger entry is removed.'],
    [
      'known twice',
      {
        objects: { UserGroup: [made('New')] },
        facts: { 'UserGroup/Zero': own('q'), 'UserGroup/New': own('q') },
        prune: 'yes',
        mayDelete: (address) => address === 'UserGroup/Zero',
      },
      'The ledger also has it as UserGroup/New, its current name.',
    ],
  ];
  test.each(cases)('%s', (_, world, message) =>
    expect(planOf(world).steps.map((step) => step.message)).toEqual([message]),
  );
});

describe('consent to an adoption', () => {
  const world = { manifests: [group('A')], objects: { UserGroup: [live('A')] } };
  const consentOf = (plan: Plan) => [plan.steps.map(({ consent }) => consent), plan.notes.map(({ code }) => code)];

  test.each([
    ['ask', 'asked', ['consent-needed']],
    ['given', 'given', []],
    ['matching', 'given', []],
  ] as const)('adopt: %s is recorded as %s', (adopt, consent, notes) => {
    expect(consentOf(planOf({ ...world, adopt }))).toEqual([[consent], notes]);
  });

  test('is asked for in the singular and in the plural', () => {
    expect(planOf(world).notes[0]?.message).toBe(
      'This plan adopts or changes 1 object that this stack did not create: UserGroup/A. Apply asks for confirmation at a terminal; `--adopt` confirms in advance.',
    );
    const two = { manifests: [group('A'), group('B')], objects: { UserGroup: [live('A'), live('B')] } };
    expect(planOf(two).notes[0]?.message).toMatch(
      /^This plan adopts or changes 2 objects that this stack did not create: /,
    );
  });

  test('is not asked for where nothing is adopted', () => {
    expect(consentOf(planOf({ manifests: [group('A')] }))).toEqual([[undefined], []]);
    expect(
      consentOf(planOf({ ...world, facts: { 'UserGroup/A': own('a', { applied: { description: 'x' } }) } }))[1],
    ).toEqual([]);
  });
});

describe('an object that the service creates itself', () => {
  const everyone = live('Everyone', { description: 'All' }, 'i');
  const asIs = { manifests: [group('Everyone', { description: 'All' })], objects: { UserGroup: [everyone] } };
  const other = { ...asIs, manifests: [group('Everyone', { description: 'Other' })] };
  const adopted = { 'UserGroup/Everyone': own('i', { how: 'adopted', applied: { description: 'All' } }) };

  test.each(['ask', 'given', 'matching', 'never'] as const)('is never adopted (adopt: %s)', (adopt) => {
    const { steps, notes } = planOf({ ...asIs, adopt });
    expect([steps, notes]).toEqual([[], []]);
  });

  test('is changed by consent, each time, and not recorded', () => {
    for (const facts of [{}, adopted]) {
      const asked = planOf({ ...other, facts });
      expect(asked.steps).toMatchObject([{ action: 'update', consent: 'asked' }]);
      expect(asked.steps[0]).not.toHaveProperty('fact');
      expect(asked.notes.map(({ code }) => code)).toEqual(['consent-needed']);
      expect(planOf({ ...other, facts, adopt: 'given' }).steps).toMatchObject([{ action: 'update', consent: 'given' }]);
      expect(planOf({ ...other, facts, adopt: 'matching' }).steps).toMatchObject([
        { action: 'blocked', reason: 'not-owned', message: expect.stringContaining('The service makes it itself') },
      ]);
    }
  });

  test('is never replaced', () => {
    const { steps } = planOf({ ...other, adopt: 'given', replace: [addressOf('UserGroup', 'Everyone')] });
    expect(steps).toMatchObject([{ action: 'blocked', reason: 'not-owned' }]);
  });

  test.each(['yes', 'all'] as const)('is never deleted, even if an earlier version adopted it (prune: %s)', (prune) => {
    const { steps } = planOf({ objects: { UserGroup: [everyone] }, facts: adopted, prune });
    expect(steps).toMatchObject([{ action: 'forget', fact: null, writes: [{ verb: 'record' }] }]);
  });

  test('belongs to the stack like any other where the stack created it', () => {
    const { steps } = planOf({ ...other, facts: { 'UserGroup/Everyone': own('i') } });
    expect(steps).toMatchObject([{ action: 'update', fact: { how: 'created' } }]);
    expect(steps[0]).not.toHaveProperty('consent');
  });
});

describe('the successor of an object, after an apply that was cut off once it had renamed the old one away', () => {
  const options = { matchDuplicates: 'ERROR', removeValue: '-' };
  const old = (spec: JsonObject): World => ({
    manifests: [
      definition('A', { mode: 'OVERWRITE', options: { removeValue: '+' } }, { ignore: ['options.removeValue'] }),
    ],
    objects: { ImportDefinition: [liveDefinition('A ~retired #7', { options, ...spec }, 'a')] },
    facts: {
      'ImportDefinition/A': own('a', { observed: { description: 'd', options: { matchDuplicates: 'ERROR' } } }),
    },
  });
  const made = ({ writes }: Step) => writes.find((write) => write.verb === 'create')?.spec;

  test('keeps the old values of fields that its manifest does not name or ignores', () => {
    const { steps } = planOf(old({ description: 'd' }));
    expect(steps).toMatchObject([
      {
        action: 'create',
        fact: { observed: { description: 'd', options: { matchDuplicates: 'ERROR' } }, former: { identity: 'a' } },
      },
    ]);
    expect(made(steps[0] as Step)).toEqual({ resource: 'ITEM_SPECS', mode: 'OVERWRITE', description: 'd', options });
  });

  test('keeps what was recorded of the old one where only the answer to its creation was lost', () => {
    const { steps } = planOf({
      manifests: [definition('A', { mode: 'CREATE' })],
      objects: {
        ImportDefinition: [
          liveDefinition('A ~retired #7', { description: 'by hand' }, 'a'),
          liveDefinition('A', { mode: 'CREATE', description: 'by hand' }, 'b'),
        ],
      },
      facts: {
        'ImportDefinition/A': own(undefined, {
          ...{ applied: CREATING, observed: { description: 'before' } },
          former: own('a', { observed: { description: 'before' } }),
        }),
      },
    });
    expect(steps).toMatchObject([
      { action: 'adopt', reason: 'unfinished', fact: { identity: 'b', observed: { description: 'before' } } },
    ]);
  });

  test.each([
    [{ enabled: false }, { enabled: false, userGroups: ['New'] }],
    [{ userGroups: [] }, { enabled: true, userGroups: [] }],
  ])('with %o refers to a renamed object by its new name, and so does the old one', (described, sent) => {
    const { steps } = planOf({
      manifests: [policy(described), group('New', {}, { renamedFrom: 'Old' })],
      objects: {
        Policy: [live('Read ~retired #7', { enabled: true, userGroups: ['Old'] }, 'read')],
        UserGroup: [live('Old', {}, 'first')],
      },
      facts: {
        'Policy/Read': own('read', { observed: { userGroups: ['Old'] } }),
        'UserGroup/Old': own('first'),
      },
    });
    const step = steps.find(({ address }) => address === 'Policy/Read') as Step;
    expect([step.dependsOn, made(step)]).toEqual([['UserGroup/New'], sent]);
    expect(step.writes).toMatchObject([{ back: { fields: { enabled: true, userGroups: ['New'] } } }]);
    expect(step.fact).toMatchObject({ former: { observed: { userGroups: ['New'] } } });
  });

  test('has the recorded values where its manifest manages all fields', () => {
    const world = old({ description: 'by hand' });
    const [described] = world.manifests as [Described];
    const manifests = [{ ...described, metadata: { ...described.metadata, manage: 'full' } }];
    expect(made(planOf({ ...world, manifests }).steps[0] as Step)).toMatchObject({ description: 'd' });
  });

  test('is not created while a field that its manifest does not name refers to a deleted object', () => {
    const mapping = [{ resource: 'ITEM_SPECS', attribute: deadReference('attribute'), sourceName: 'Gone' }];
    expect(planOf(old({ options: { mapping } })).steps).toMatchObject([
      {
        action: 'blocked',
        reason: 'dead-reference',
        message:
          'An interrupted apply renamed the old object to "A ~retired #7". A new one has to be created, but fields that are not in the manifest refer to a deleted object: add them to the manifest.',
      },
    ]);
  });
});
