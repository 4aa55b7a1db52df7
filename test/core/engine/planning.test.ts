import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import { decideJobs } from '#core/engine/decide-job.js';
import type { Deciding } from '#core/engine/decision.js';
import type { Facts } from '#core/engine/find-live.js';
import { link } from '#core/engine/link.js';
import { needCycles } from '#core/engine/order.js';
import { makePlan } from '#core/engine/plan.js';
import { isOpenOrSettled } from '#core/engine/settled-jobs.js';
import { assemble } from '#core/manifest/assemble.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { JsonObject } from '#core/model/json.js';
import { deadReference, type Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability, Observation, Observed } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import { reference } from '#service/profiles/reference.js';
import { manifest } from '../../harness/manifest.js';

interface World {
  readonly manifests: string;
  readonly objects?: Readonly<Record<string, readonly Observed[]>>;
  readonly lookups?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly jobs?: readonly JobFacts[];
  readonly can?: Partial<Capability>;
  readonly deciding?: Partial<Deciding>;
}

const schemaOf = (kind: string): object => builtIn.manifestTypeNamed(kind)?.schema ?? {};
const known = (name: string): Kind => builtIn.kindNamed(name) as Kind;

function planned({ manifests: text, objects = {}, lookups = {}, jobs = [], can = {}, deciding = {} }: World): {
  plan: Plan;
  findings: string[];
} {
  const { documents } = parseYaml(text, 'm.yaml');
  const { manifests } = assemble(validateManifests(documents, builtIn).manifests);
  const linked = link(manifests, schemaOf);
  const observation: Observation = {
    objects: new Map(Object.entries(objects)),
    lookups: new Map(Object.entries(lookups)),
    unlisted: new Set(),
  };
  const facts = ownFacts(objects);
  const { bound, diagnostics } = bind(manifests, observation, schemaOf, 'dev', facts);
  const plan = makePlan({
    deciding: { stack: 's', adopt: 'never', replace: new Set(), ...deciding },
    observation,
    facts,
    prune: { is: 'no', described: new Set(manifests.map(({ address }) => address)), mayDelete: () => false },
    environment: 'e',
    workspace: { id: '1', name: 'dev', identity: 'test/1' },
    manifests,
    edges: linked.edges,
    bound: bound.filter(({ manifest }) => builtIn.kindNamed(manifest.kind) !== undefined),
    jobs,
    kindNamed: known,
    capabilityOf: (kind) => ({ ...(reference.collections[kind.collection]?.can as Capability), ...can }),
    requests: { used: 1, remaining: null },
    nonce: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const findings = [...linked.diagnostics, ...diagnostics].map(({ code, message, hint, origin }) =>
    [`${origin?.line}:${origin?.column} ${code}`, message, ...(hint === undefined ? [] : [hint])].join(' | '),
  );
  return { plan, findings };
}

/** The stack made every object whose name no other has. */
const ownFacts = (objects: NonNullable<World['objects']>): Facts =>
  new Map(
    Object.entries(objects).flatMap(([kind, live]) =>
      live
        .filter(({ name }) => live.filter((other) => other.name === name).length === 1)
        .map(({ name, identity }): [Address, ObjectFact] => [
          addressOf(kind, name),
          { stack: 's', how: 'created', applied: {}, protect: false, identity },
        ]),
    ),
  );

const group = (spec: JsonObject, metadata: JsonObject = {}): string => manifest('UserGroup', 'Quality', spec, metadata);
const mapping = [{ resource: 'ITEM_SPECS', attribute: 'RoHS', sourceName: 'RoHS' }];
const specs = (spec: JsonObject = {}, metadata: JsonObject = {}): string =>
  manifest('ImportDefinition', 'Specs', { resource: 'ITEM_SPECS', mode: 'EDIT', ...spec }, metadata);

const categories = { 'Category:ITEMS': [['Resistor', 'Resistor']] };
const reservation = (quantity: number): string =>
  manifest('NumberReservation', 'Housings', { category: 'Resistor', quantity });
const reserved = (quantity: number): Observed => ({
  name: 'Housings',
  identity: 'Housings',
  spec: { category: 'Resistor', itemNumbers: Array.from({ length: quantity }, (_, index) => `${index}`) },
});

const users = {
  User: [
    ['ann@example.com', 'Ann Lee'],
    ['bo@example.com', 'Bo Lee'],
    ['cy@example.com', 'Same'],
    ['di@example.com', 'Same'],
  ],
};
const live = (spec: JsonObject, name = 'Quality'): Observed => ({ name, spec, identity: name });
const liveSpecs = (spec: JsonObject = {}): Observed => ({
  name: 'Specs',
  identity: '7',
  number: 7,
  spec: { resource: 'ITEM_SPECS', mode: 'EDIT', options: { matchDuplicates: 'ERROR' }, ...spec },
});

/** Each step as `action reason address: changed fields -> writes`. */
const told = ({ steps }: Plan): string[] =>
  steps.map(({ action, reason, address, fields, writes }) => {
    const changed = fields.map(({ path }) => path).join(' ');
    return `${action} ${reason} ${address}: ${changed} -> ${writes.map((write) => JSON.stringify({ ...write, back: undefined })).join(' ')}`;
  });

describe('the step of an object', () => {
  const cases: [promise: string, world: World, expected: string[]][] = [
    [
      'as the manifest says: nothing',
      { manifests: group({ description: 'a' }), objects: { UserGroup: [live({ description: 'a' })] } },
      [],
    ],
    [
      'absent: created, its children one by one',
      { manifests: group({ description: 'a', members: ['ann@example.com'], enabled: null }), lookups: users },
      [
        'create absent UserGroup/Quality: description members[ann@example.com] -> {"verb":"create","spec":{"description":"a"}} {"verb":"addChild","field":"members","name":"ann@example.com"}',
      ],
    ],
    [
      'absent, and the service cannot create: a manual step',
      { manifests: group({ description: 'a' }), can: { create: false } },
      ['manual not-supported UserGroup/Quality: description -> '],
    ],
    [
      'absent, and created by a person: every value is shown, also those that the service would fill in',
      { manifests: group({ description: '', enabled: true, members: null }), can: { create: false } },
      ['manual not-supported UserGroup/Quality: description enabled -> '],
    ],
    [
      'absent, and the manifest does not name a field: a manual step, as the field must not be empty',
      { manifests: group({ description: 'a' }), deciding: { untold: () => ['members'], asking: 'environment "dev"' } },
      ['manual not-supported UserGroup/Quality: description -> '],
    ],
    [
      'absent, and only the manifest has the field: created',
      { manifests: group({ description: 'a' }), deciding: { untold: () => ['description'] } },
      ['create absent UserGroup/Quality: description -> {"verb":"create","spec":{"description":"a"}}'],
    ],
    [
      'of a kind that the service has no list of: left to a person, who compares it',
      { manifests: group({ description: 'a' }), can: { list: false, create: false } },
      ['manual not-verifiable UserGroup/Quality: description -> '],
    ],
    [
      'as the manifest says except for hidden fields: nothing',
      {
        manifests: group({ description: 'a', enabled: false }),
        objects: { UserGroup: [live({ description: 'a' })] },
        can: { hidden: ['enabled'] },
      },
      [],
    ],
    [
      'different where the service accepts no update: left to a person, or to a new name',
      {
        manifests: group({ description: 'b' }),
        objects: { UserGroup: [live({ description: 'a' })] },
        can: { update: [] },
      },
      ['manual not-supported UserGroup/Quality: description -> '],
    ],
    [
      'renamed, and named by another object: that one does not change',
      {
        manifests:
          manifest('Trigger', 'After', { resource: 'ITEM', action: 'EDIT' }, { renamedFrom: 'Before' }) +
          manifest('OutboundIntegration', 'ERP', { triggers: ['After'] }),
        objects: {
          Trigger: [live({ resource: 'ITEM', action: 'EDIT' }, 'Before')],
          OutboundIntegration: [live({ triggers: ['Before'] }, 'ERP')],
        },
      },
      [
        'rename renamed Trigger/After: name -> {"verb":"update","name":"After","fields":{"resource":"ITEM","action":"EDIT"},"readFirst":"no"}',
      ],
    ],
    [
      'numbers that are all reserved: nothing',
      { manifests: reservation(2), objects: { NumberReservation: [reserved(2)] }, lookups: categories },
      [],
    ],
    [
      'more numbers than are reserved: a further reservation, under a name of its own',
      { manifests: reservation(5), objects: { NumberReservation: [reserved(2)] }, lookups: categories },
      [
        'create grown NumberReservation/Housings: quantity -> {"verb":"create","spec":{"category":"Resistor","quantity":3},"name":"Housings #2"}',
      ],
    ],
    [
      'fewer numbers than are reserved: blocked, since numbers get consumed',
      { manifests: reservation(1), objects: { NumberReservation: [reserved(2)] }, lookups: categories },
      ['blocked made-once NumberReservation/Housings:  -> '],
    ],
    [
      'a reservation under its former name: left to a person, since the service cannot rename it',
      {
        manifests: manifest(
          'NumberReservation',
          'Cases',
          { category: 'Resistor', quantity: 2 },
          { renamedFrom: 'Housings' },
        ),
        objects: { NumberReservation: [reserved(2)] },
        lookups: categories,
      },
      ['manual not-supported NumberReservation/Cases: name quantity -> '],
    ],
    [
      'different: updated, unnamed values read just before',
      { manifests: group({ description: 'b' }), objects: { UserGroup: [live({ description: 'a', enabled: false })] } },
      [
        'update differs UserGroup/Quality: description -> {"verb":"update","name":"Quality","fields":{"description":"b"},"readFirst":"yes"}',
      ],
    ],
    [
      'different, and all is named: updated without a read',
      {
        manifests: group({ description: 'b', enabled: true }),
        objects: { UserGroup: [live({ description: 'a', enabled: true })] },
      },
      [
        'update differs UserGroup/Quality: description -> {"verb":"update","name":"Quality","fields":{"description":"b","enabled":true},"readFirst":"no"}',
      ],
    ],
    [
      'different, and an update accepts single fields: no read',
      {
        manifests: group({ description: 'b' }),
        objects: { UserGroup: [live({ description: 'a', enabled: false })] },
        can: { updateBody: 'partial' },
      },
      [
        'update differs UserGroup/Quality: description -> {"verb":"update","name":"Quality","fields":{"description":"b"},"readFirst":"no"}',
      ],
    ],
    [
      'other members: added and removed, nothing else',
      {
        manifests: group({ members: ['Ann Lee'] }),
        objects: { UserGroup: [live({ members: ['bo@example.com'] })] },
        lookups: users,
      },
      [
        'update differs UserGroup/Quality: members[ann@example.com] members[bo@example.com] -> {"verb":"addChild","field":"members","name":"ann@example.com"} {"verb":"removeChild","field":"members","name":"bo@example.com"}',
      ],
    ],
    [
      'a member by full name is the member by e-mail address',
      {
        manifests: group({ members: ['Ann Lee'] }),
        objects: { UserGroup: [live({ members: ['ann@example.com'] })] },
        lookups: users,
      },
      [],
    ],
    [
      'two names of one user are one member',
      { manifests: group({ members: ['Ann Lee', 'ann@example.com'] }), lookups: users },
      [
        'create absent UserGroup/Quality: members[ann@example.com] -> {"verb":"create","spec":{}} {"verb":"addChild","field":"members","name":"ann@example.com"}',
      ],
    ],
    [
      'under its former name: renamed, other changes with it',
      {
        manifests: group({ description: 'b' }, { renamedFrom: 'QA' }),
        objects: { UserGroup: [live({ description: 'a' }, 'QA')] },
      },
      [
        'rename renamed UserGroup/Quality: name description -> {"verb":"update","name":"Quality","fields":{"description":"b"},"readFirst":"no"}',
      ],
    ],
    [
      'renamed before: nothing',
      { manifests: group({}, { renamedFrom: 'QA' }), objects: { UserGroup: [live({})] } },
      [],
    ],
    [
      'never there under the former name: created',
      { manifests: group({}, { renamedFrom: 'QA' }) },
      ['create absent UserGroup/Quality:  -> {"verb":"create","spec":{}}'],
    ],
    [
      'two of that name: blocked',
      { manifests: group({}), objects: { UserGroup: [live({}), live({})] } },
      ['blocked ambiguous UserGroup/Quality:  -> '],
    ],
    [
      'two of the former name: blocked',
      { manifests: group({}, { renamedFrom: 'QA' }), objects: { UserGroup: [live({}, 'QA'), live({}, 'QA')] } },
      ['blocked ambiguous UserGroup/Quality:  -> '],
    ],
    [
      'a field that no update accepts: the old one is renamed away, then the new one created with all unnamed values',
      { manifests: specs({ mode: 'OVERWRITE' }), objects: { ImportDefinition: [liveSpecs({ description: 'kept' })] } },
      [
        'replace not-updatable ImportDefinition/Specs: mode -> {"verb":"retire","to":"Specs ~retired #7","fields":{"description":"kept"}} {"verb":"create","spec":{"resource":"ITEM_SPECS","mode":"OVERWRITE","options":{"matchDuplicates":"ERROR"},"description":"kept"}}',
      ],
    ],
    [
      'a definition that points to a deleted attribute: replaced for that reason',
      {
        manifests: specs({ options: { mapping } }),
        objects: {
          ImportDefinition: [
            liveSpecs({ options: { mapping: [{ ...mapping[0], attribute: deadReference('attribute') }] } }),
          ],
        },
        lookups: { 'Attribute:ITEMS': [['RoHS']] },
      },
      [
        'replace dead-reference ImportDefinition/Specs: options.mapping[ITEM_SPECS RoHS] options.mapping[ITEM_SPECS (deleted attribute)] -> {"verb":"retire","to":"Specs ~retired #7","fields":{}} {"verb":"create","spec":{"resource":"ITEM_SPECS","mode":"EDIT","options":{"mapping":[{"resource":"ITEM_SPECS","attribute":"RoHS","sourceName":"RoHS"}]}}}',
      ],
    ],
    [
      'a replacement of a protected object: blocked',
      { manifests: specs({ mode: 'OVERWRITE' }, { protect: true }), objects: { ImportDefinition: [liveSpecs()] } },
      ['blocked protected ImportDefinition/Specs: mode -> '],
    ],
    [
      'a replacement where nothing can be renamed: a manual step',
      { manifests: specs({ mode: 'OVERWRITE' }), objects: { ImportDefinition: [liveSpecs()] }, can: { update: [] } },
      ['manual not-supported ImportDefinition/Specs: mode -> '],
    ],
    [
      'a replacement of an object with hidden fields: a manual step, as the new object would lack them',
      {
        manifests: specs({ mode: 'OVERWRITE' }),
        objects: { ImportDefinition: [liveSpecs()] },
        can: { hidden: ['description'] },
      },
      ['manual not-supported ImportDefinition/Specs: mode -> '],
    ],
    [
      'a replacement where nothing can be created: a manual step',
      { manifests: specs({ mode: 'OVERWRITE' }), objects: { ImportDefinition: [liveSpecs()] }, can: { create: false } },
      ['manual not-supported ImportDefinition/Specs: mode -> '],
    ],
    [
      'an object without number is retired as number 0',
      {
        manifests: specs({ mode: 'OVERWRITE' }),
        objects: { ImportDefinition: [{ ...live({ resource: 'ITEM_SPECS', mode: 'EDIT' }, 'Specs') }] },
      },
      [
        'replace not-updatable ImportDefinition/Specs: mode -> {"verb":"retire","to":"Specs ~retired #0","fields":{}} {"verb":"create","spec":{"resource":"ITEM_SPECS","mode":"OVERWRITE"}}',
      ],
    ],
  ];
  test.each(cases)('%s', (_, world, expected) => {
    const { plan, findings } = planned(world);
    expect(findings).toEqual([]);
    expect(told(plan)).toEqual(expected);
  });

  test('numbers distinguish objects of one name', () => {
    const { plan } = planned({
      manifests: specs(),
      objects: { ImportDefinition: [liveSpecs(), { ...liveSpecs(), number: 9 }] },
    });
    expect(plan.steps[0]?.message).toBe(
      '2 objects in the workspace are named "Specs": #7; #9. Rename all but one, or choose one with `dexsync adopt ImportDefinition/Specs --number N`.',
    );
  });
});

describe('references', () => {
  test('a reference to nothing gets the nearest name', () => {
    expect(planned({ manifests: group({ members: ['an@example.com'] }), lookups: users }).findings).toEqual([
      '1:96 reference-unknown | UserGroup/Quality refers to User/an@example.com, which is neither in the manifests nor in environment "dev". | Did you mean "ann@example.com"?',
    ]);
  });

  test('more than 100 references to nothing are counted after the first', () => {
    const members = Array.from({ length: 103 }, (_, index) => `nobody-${index}@example.com`);
    const { findings } = planned({ manifests: group({ members }), lookups: users });
    expect([findings.length, findings.at(-1)]).toEqual([
      101,
      expect.stringMatching(
        /reference-unknown \| UserGroup\/Quality has 3 more references that lead to no object, or to several\./,
      ),
    ]);
  });

  test('a reference to one of two live objects of a name is ambiguous, unless a manifest describes it', () => {
    const job = manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'a.csv' } });
    const objects = { ImportDefinition: [liveSpecs(), liveSpecs()] };
    expect(planned({ manifests: job, objects }).findings[0]).toContain('reference-ambiguous');
    expect(planned({ manifests: job + specs(), objects }).findings).toEqual([]);
  });

  test('a reference has no suggestion where no names are known', () => {
    expect(planned({ manifests: group({ members: ['x'] }) }).findings[0]).toMatch(/environment "dev"\.$/);
  });

  test('a reference that matches several objects is ambiguous', () => {
    expect(planned({ manifests: group({ members: ['Same'] }), lookups: users }).findings).toEqual([
      '1:96 reference-ambiguous | UserGroup/Quality refers to User/Same, but environment "dev" has 2 objects with this name. | Use a name that only one object has.',
    ]);
  });

  test('a rename from an object that another manifest describes, or that two manifests claim, is refused', () => {
    const other = (name: string, metadata: JsonObject = {}): string => manifest('UserGroup', name, {}, metadata);
    const codes = (text: string): string[] =>
      planned({ manifests: text }).findings.map((finding) => finding.split(' | ')[1] ?? '');
    expect(codes(other('A', { renamedFrom: 'B' }) + other('B'))).toEqual([
      'UserGroup/A has `renamedFrom: B`, but another manifest describes UserGroup/B.',
    ]);
    expect(codes(other('A', { renamedFrom: 'C' }) + other('B', { renamedFrom: 'C' }))).toEqual([
      'UserGroup/B has `renamedFrom: C`, and so does UserGroup/A.',
    ]);
    expect(codes(other('A', { renamedFrom: 'A' }))).toEqual([
      'UserGroup/A has `renamedFrom: A`, which is its own name.',
    ]);
    expect(codes(other('A', { renamedFrom: 'Old' }) + other('B', { renamedFrom: 'Older' }))).toEqual([]);
  });

  test('a reference by a name that a manifest gives away is refused', () => {
    const job = manifest('Import', 'Parts', { definition: 'Old', source: { file: 'a.csv' } });
    const objects = { ImportDefinition: [{ ...liveSpecs(), name: 'Old' }] };
    expect(planned({ manifests: job + specs({}, { renamedFrom: 'Old' }), objects }).findings).toEqual([
      expect.stringContaining(
        'reference-renamed | Import/Parts refers to ImportDefinition/Old, which a manifest renames to "Specs". | Write "Specs".',
      ),
    ]);
  });

  test('imports that wait for each other are a cycle', () => {
    const job = (name: string, after: string): string =>
      manifest('Import', name, { definition: 'Specs', source: { file: 'a.csv' }, after: [after] });
    const { findings } = planned({ manifests: specs() + job('B', 'A') + job('A', 'B') + job('C', 'A') });
    expect(findings).toEqual([
      '5:63 reference-cycle | These manifests depend on each other: Import/A -> Import/B -> Import/A. | Remove one of these references.',
    ]);
  });
});

test('a plan says which manifests keep objects apart that would be one', () => {
  const second = manifest('NumberReservation', 'Housings #2', { category: 'Resistor', quantity: 1 });
  const part: Observed = { ...reserved(1), name: 'Housings #2', identity: 'Housings #2' };
  const objects = { NumberReservation: [reserved(3), part] };
  const both = planned({ manifests: reservation(3) + second, objects, lookups: categories });
  expect(both.plan.apart).toEqual(['NumberReservation/Housings', 'NumberReservation/Housings #2']);
  const grown = planned({ manifests: reservation(4) + second, objects, lookups: categories });
  expect(grown.plan.apart).toEqual(['NumberReservation/Housings #2']);
  expect(planned({ manifests: group({}) }).plan.apart).toBeUndefined();
});

describe('imports', () => {
  const address = addressOf('Import', 'Parts');
  const job = (over: Partial<JobFacts> = {}): JobFacts => ({
    address,
    key: 'k',
    rows: 3,
    source: 'parts.csv',
    definition: addressOf('ImportDefinition', 'Specs'),
    when: 'changed',
    commits: 'by rule',
    rule: 'clean',
    needs: [],
    findings: { errors: 0, accepted: 'yes' },
    requests: { min: 4, max: 20 },
    request: { path: 'parts.csv', spec: {}, definition: { spec: {}, content: {} } },
    sent: { stack: 's', definition: 'Specs' },
    origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
    ...over,
  });
  const manifests = specs() + manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } });
  const run = { run: 'R', first: 1, last: 3, commit: 'no' as const };
  const runs = [run];
  const settled = { runs, at: '2026-01-02T03:04:05Z', rows: 3, failed: 1 };
  const present = { ImportDefinition: [liveSpecs()] };
  const cases: [promise: string, facts: JobFacts, expected: string[]][] = [
    [
      'new content is imported',
      job(),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'one row is said in the singular',
      job({ rows: 1 }),
      ['import not-imported Import/Parts: 1 row of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'rows that were added to others are said',
      job({ repeated: 2 }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. 2 more rows repeat lines and are added to them.',
      ],
    ],
    [
      'and one of them as one',
      job({ repeated: 1 }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. 1 more row repeats a line and is added to it.',
      ],
    ],
    [
      'files that become new editions are said',
      job({ editions: 2 }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. 2 files come with them and become new editions, even with the same content.',
      ],
    ],
    [
      'and one of them as one',
      job({ editions: 1 }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. 1 file comes with them and becomes a new edition, even with the same content.',
      ],
    ],
    [
      'a settled import whose attribute lost its values is sent again',
      job({ state: { state: 'committed', ...settled }, again: 'values lost', emptied: ['Finish'] }),
      [
        'import dead-reference Import/Parts: The attribute "Finish" was deleted and created again since the last commit, so the values are gone. 3 rows of parts.csv through ImportDefinition/Specs.',
      ],
    ],
    [
      'and names all such attributes',
      job({ state: { state: 'committed', ...settled }, again: 'values lost', emptied: ['Finish', 'Color'] }),
      [
        'import dead-reference Import/Parts: The attributes "Finish", "Color" were deleted and created again since the last commit, so the values are gone. 3 rows of parts.csv through ImportDefinition/Specs.',
      ],
    ],
    [
      'deleted items cannot come back without a before image',
      job({ mode: 'DELETE', records: 'items' }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. Without `beforeImage: true` no undo can create the items again.',
      ],
    ],
    [
      'with one, most of them can',
      job({
        mode: 'DELETE',
        records: 'items',
        request: { path: 'p', spec: { beforeImage: true }, definition: {} } as never,
      }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. An undo can create the items again, with their BOM lines, uses, files and sourcing, but not their GUIDs, times, revisions and history.',
      ],
    ],
    [
      'and of files those without content',
      job({
        mode: 'DELETE',
        records: 'files',
        request: { path: 'p', spec: { beforeImage: true }, definition: {} } as never,
      }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. An undo can create the files again that have no content of their own, but not their GUIDs, times, revisions and history.',
      ],
    ],
    [
      'an undo names what it does not restore of deleted items',
      job({
        mode: 'CREATE',
        records: 'items',
        sent: { stack: 's', definition: 'Specs', undoes: { key: 'k', left: 0 } },
      }),
      [
        'import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs. The items get other GUIDs; their times, revisions and history are not restored.',
      ],
    ],
    [
      'new items get their first GUIDs',
      job({ mode: 'CREATE', records: 'items' }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'rows that were not compared are not sent',
      job({ uncompared: 'they are many', request: { path: 'p', spec: { send: 'new' }, definition: {} } as never }),
      [
        'blocked not-verifiable Import/Parts: The rows of parts.csv were not compared with the workspace (they are many), so it is unknown which of them `send: new` means, and nothing is sent. `--preview full` compares them at any cost; `send: all` sends all.',
      ],
    ],
    ['committed content is not imported again', job({ state: { state: 'committed', ...settled } }), []],
    [
      'committed content that the ledger does not know is entered there',
      job({ found: 'in workspace', state: { state: 'committed', ...settled } }),
      [
        'adopt imported-before Import/Parts: 3 rows of parts.csv were committed by a run on 2026-01-02, which is not in the ledger yet. The ledger records it; nothing is sent.',
      ],
    ],
    [
      'the same, by the number of its run',
      job({ found: 'in workspace', state: { state: 'committed', ...settled, runs: [{ ...run, number: 7 }] } }),
      [expect.stringContaining('committed by run #7 on 2026-01-02')],
    ],
    [
      'content with an unknown commit waits for a decision',
      job({ unclear: { runs: 'run #7', at: '2026-01-02T03:04:05Z' } }),
      [
        'blocked not-verifiable Import/Parts: The ledger has no record of parts.csv. Run #7 of 2026-01-02 committed the same number of rows through ImportDefinition/Specs, and its source can no longer be read. `--reimport Import/Parts` sends them.',
      ],
    ],
    ['validated content waits for a person', job({ commits: 'never', state: { state: 'validated', ...settled } }), []],
    [
      'validated content is imported once its rule commits',
      job({ state: { state: 'validated', ...settled } }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'rejected content is blocked, with the way out',
      job({ state: { state: 'rejected', ...settled } }),
      [
        'blocked rejected-before Import/Parts: 1 of 3 rows failed when parts.csv was validated on 2026-01-02, and nothing was committed. It is tried again when the file, the definition or the commit rule changes; `dexsync import FILE --definition NAME` runs it now.',
      ],
    ],
    [
      'also where its rule is known and still the same',
      job({ rule: { maxErrors: 2 }, state: { state: 'rejected', ...settled, rule: { maxErrors: 2 } } }),
      [expect.stringContaining('blocked rejected-before')],
    ],
    [
      'and tried again once the rule is another',
      job({ rule: 'always', state: { state: 'rejected', ...settled, rule: 'clean' } }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'a run without a result is posted again',
      job({ state: { state: 'failed', runs, at: settled.at } }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'a run that vanished while it was committed is left to a person',
      job({ state: { state: 'lost', runs: [{ ...run, number: 4 }], at: settled.at } }),
      [
        'blocked unfinished Import/Parts: Run #4 of parts.csv was being committed and is no longer in the workspace, so it is unknown whether its rows were committed. Check the records in the workspace; `dexsync import FILE --definition NAME --force` sends them again.',
      ],
    ],
    [
      'under any name',
      job({ state: { state: 'lost', runs, at: settled.at } }),
      [expect.stringContaining('A run of parts.csv was being committed')],
    ],
    [
      'when: always imports again',
      job({ when: 'always', state: { state: 'committed', ...settled } }),
      ['import always Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'when: always imports for the first time too',
      job({ when: 'always' }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'a run that was left open is resumed',
      job({ state: { state: 'posted', runs: [{ ...run, number: 4 }] } }),
      [
        'import unfinished Import/Parts: Run #4 of parts.csv was left unfinished by an earlier command; it is resumed, not sent again.',
      ],
    ],
    [
      'a run without number too',
      job({ state: { state: 'committing', runs } }),
      [
        'import unfinished Import/Parts: A run of parts.csv was left unfinished by an earlier command; it is resumed, not sent again.',
      ],
    ],
    [
      'certain errors block it before any request',
      job({ findings: { errors: 1, accepted: 'no' } }),
      ['blocked findings Import/Parts: parts.csv has 1 error that the commit rule does not accept.'],
    ],
    [
      'several are counted',
      job({ findings: { errors: 2, accepted: 'no' } }),
      ['blocked findings Import/Parts: parts.csv has 2 errors that the commit rule does not accept.'],
    ],
    [
      'warnings block it where none may pass',
      job({ findings: { errors: 0, accepted: 'no' } }),
      ['blocked findings Import/Parts: parts.csv has warnings, and `failOn: warning` does not accept any.'],
    ],
    [
      'committed content is imported once more on request',
      job({ again: 'asked', state: { state: 'committed', ...settled } }),
      ['import asked Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
    [
      'a reviewed run is committed unchanged',
      job({ state: { state: 'posted', runs: [{ ...run, number: 4 }], validated: { rows: 3, failed: 0 } } }),
      ['import reviewed Import/Parts: 3 rows of parts.csv, validated by run #4: 0 failed. Apply commits the run.'],
    ],
    [
      'also one without a number',
      job({ rows: 1, state: { state: 'posted', runs, validated: { rows: 1, failed: 1 } } }),
      ['import reviewed Import/Parts: 1 row of parts.csv, validated by a run: 1 failed. Apply commits the run.'],
    ],
    [
      'several runs are said in the plural',
      job({
        state: {
          state: 'committing',
          runs: [
            { ...run, number: 4, commit: 'done' },
            { ...run, number: 6 },
          ],
          validated: { rows: 3, failed: 0 },
        },
      }),
      [expect.stringContaining('Runs #4 to #6 of parts.csv were left unfinished by an earlier command')],
    ],
    [
      'unless the commit rule accepts failed rows',
      job({ findings: { errors: 1, accepted: 'yes' } }),
      ['import not-imported Import/Parts: 3 rows of parts.csv through ImportDefinition/Specs.'],
    ],
  ];
  test.each(cases)('%s', (_, facts, expected) => {
    const { plan } = planned({ manifests, objects: present, jobs: [facts] });
    expect(plan.steps.map((step) => `${step.action} ${step.reason} ${step.address}: ${step.message}`)).toEqual(
      expected,
    );
  });

  test('an import that waits for others of the plan says so', () => {
    const bom = addressOf('Import', 'Bom');
    const [other, third] = [addressOf('Import', 'Other'), addressOf('Import', 'Third')];
    const told = (...jobs: JobFacts[]) => decideJobs(jobs).map((one) => one?.message.replace(/^.*Specs\. ?/, ''));
    expect(told(job(), job({ address: bom, needs: [address] }))).toEqual([
      '',
      'It is validated after Import/Parts is committed.',
    ]);
    const needs = [address, other, third];
    expect(told(job(), job({ address: other }), job({ address: third }), job({ address: bom, needs }))[3]).toBe(
      'It is validated after Import/Parts, Import/Other and Import/Third are committed.',
    );
    const done = job({ state: { state: 'committed', ...settled } });
    expect(told(done, job({ address: bom, needs: [address] }))).toEqual([undefined, '']);
  });

  test('an import that sends some of its rows says how many; where none differ it does nothing', () => {
    const preview = { with: 'workspace', requests: 1 } as const;
    const { request } = job();
    const changed = { ...request, spec: { send: 'changed' } };
    const [some] = decideJobs([job({ rows: 2, unsent: 5, preview, request: changed })]);
    expect(some?.message).toBe('2 of 7 rows of parts.csv (`send: changed`) through ImportDefinition/Specs.');
    expect(some?.preview).toEqual(preview);
    expect(decideJobs([job({ rows: 0, unsent: 7 })])).toEqual([undefined]);
    expect(decideJobs([job({ rows: 1, request: { ...request, content: 'a' } })])[0]?.message).toBe(
      '1 row that parts.csv does not have through ImportDefinition/Specs.',
    );
    expect(decideJobs([job({ state: { state: 'posted', runs }, preview })])[0]?.preview).toEqual(preview);
  });

  test('an import whose items wait for a person waits with them', () => {
    const bom = addressOf('Import', 'Bom');
    const told = (...jobs: JobFacts[]) =>
      decideJobs(jobs).map((one) => one && `${one.action} ${one.reason}: ${one.message}`);
    const held = job({ commits: 'never', state: { state: 'validated', ...settled } });
    const blocked =
      'blocked dependency-blocked: 3 rows of parts.csv refer to records of Import/Parts, which waits for a manual commit: `dexsync import list` shows the run.';
    expect(told(held, job({ address: bom, needs: [address] }))).toEqual([undefined, blocked]);
    expect(told(job({ commits: 'never' }), job({ address: bom, needs: [address] }))[1]).toBe(blocked);
    const other = job({ address: addressOf('Import', 'Other'), commits: 'never' });
    expect(told(held, other, job({ address: bom, needs: [address, other.address] }))[2]).toContain(
      'of Import/Parts and Import/Other, which wait for a manual commit',
    );
    const committed = job({ commits: 'never', state: { state: 'committed', ...settled } });
    expect(told(committed, job({ address: bom, needs: [address] }))[1]).toContain('import not-imported');
    const open = job({ address: bom, needs: [address], state: { state: 'posted', runs } });
    expect(told(held, open)[1]).toContain('import unfinished');
    const without = (rows: number): JobFacts => {
      const { request, ...rest } = job({ address: bom, needs: [address], rows });
      return { ...rest, request: { ...request, content: 'a' } };
    };
    expect(told(held, without(1))[1]).toContain(
      ': 1 row that parts.csv does not have is deleted after Import/Parts, which',
    );
    expect(told(held, without(2))[1]).toContain(
      ': 2 rows that parts.csv does not have are deleted after Import/Parts, ',
    );
    const one = job({ address: bom, needs: [address], rows: 1 });
    expect(told(held, one)[1]).toContain(': 1 row of parts.csv refers to records of Import/Parts, which waits');
  });

  test('a rejection stands until the records that the rows refer to are committed', () => {
    const bom = addressOf('Import', 'Bom');
    const rejected = job({ address: bom, needs: [address], state: { state: 'rejected', ...settled } });
    const actions = (at: string) =>
      decideJobs([job({ state: { state: 'committed', ...settled, at } }), rejected]).map((one) => one?.action);
    expect(actions('2026-01-01T00:00:00Z')).toEqual([undefined, 'blocked']);
    expect(actions('2026-02-01T00:00:00Z')).toEqual([undefined, 'import']);
    expect(decideJobs([job({ state: { state: 'failed', runs, at: '2026-03-01' } }), rejected])[1]?.action).toBe(
      'blocked',
    );
    expect(decideJobs([{ ...rejected, needs: [] }])[0]?.action).toBe('blocked');
  });

  test('a settled import reports nothing new about its rows', () => {
    expect(isOpenOrSettled(undefined, job())).toBe(false);
    expect(isOpenOrSettled({ state: 'posted', runs }, job())).toBe(true);
    expect(isOpenOrSettled({ state: 'rejected', ...settled, rule: 'clean' }, job())).toBe(true);
    expect(isOpenOrSettled({ state: 'rejected', ...settled, rule: 'always' }, job())).toBe(false);
  });

  test('an `after` against the order of the rows is a cycle that names both', () => {
    const bom = addressOf('Import', 'Bom');
    const edges = new Map([
      [address, new Set([bom])],
      [bom, new Set<Address>()],
    ]);
    expect(needCycles(edges, [job({ address: bom }), job()])).toEqual([]);
    expect(needCycles(edges, [job({ address: bom, needs: [address] }), job()])).toEqual([
      {
        severity: 'error',
        code: 'import-cycle',
        message:
          "These imports depend on each other: Import/Bom -> Import/Parts -> Import/Bom. Import/Bom comes after Import/Parts automatically: its rows refer to the other's records.",
        hint: 'Remove the `after` that contradicts this order.',
        origin: job().origin,
      },
    ]);
  });

  test('an import comes after its definition and after the jobs that it needs', () => {
    const bom = addressOf('Import', 'A BOM');
    const text = manifests + manifest('Import', 'A BOM', { definition: 'Specs', source: { file: 'b.csv' } });
    const { plan } = planned({ manifests: text, jobs: [job({ address: bom, needs: [address] }), job()] });
    expect(plan.steps.map(({ address: at, dependsOn }) => [at, dependsOn])).toEqual([
      ['ImportDefinition/Specs', []],
      ['Import/Parts', ['ImportDefinition/Specs']],
      ['Import/A BOM', ['Import/Parts', 'ImportDefinition/Specs']],
    ]);
    expect(plan.requests).toEqual({ used: 1, apply: { min: 9, max: 41 }, remaining: null });
  });

  test('a step that needs a blocked one is blocked too, and keeps its own reason where it has one', () => {
    const bad =
      specs({ mode: 'CREATE' }, { protect: true }) +
      manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'p.csv' } });
    const next = job({ address: addressOf('Import', 'Z'), needs: [address] });
    const broken = job({
      address: addressOf('Import', 'Y'),
      needs: [address],
      findings: { errors: 1, accepted: 'no' },
    });
    const { plan } = planned({ manifests: bad, objects: present, jobs: [job(), next, broken] });
    expect(plan.steps.map((step) => `${step.action} ${step.reason} ${step.message}`)).toEqual([
      'blocked protected The service cannot update mode. It would have to be replaced, but it is protected: set `protect: false` and apply that first.',
      'blocked dependency-blocked It needs ImportDefinition/Specs, which this plan does not apply.',
      'blocked findings parts.csv has 1 error that the commit rule does not accept.',
      'blocked dependency-blocked It needs Import/Parts, which this plan does not apply.',
    ]);
    expect(plan.summary.blocked).toBe(4);
    expect(plan.requests.apply).toEqual({ min: 0, max: 0 });
  });

  test('an import outside the list of jobs costs nothing', () => {
    const { plan } = planned({ manifests, objects: present, jobs: [] });
    expect(plan.steps).toEqual([]);
  });
});

test('the plan counts, prices and orders, and equal input gives an equal plan', () => {
  const world: World = {
    manifests: group({ description: 'b', members: ['ann@example.com'] }) + specs(),
    objects: { UserGroup: [live({ description: 'a', enabled: true, members: [] })] },
    lookups: users,
  };
  const { plan } = planned(world);
  expect(plan).toEqual(planned(world).plan);
  expect(plan.summary).toMatchObject({ create: 1, update: 1, unchanged: 0 });
  expect(plan.requests.apply).toEqual({ min: 4, max: 4 });
  expect(plan.steps.map(({ address }): Address => address)).toEqual(['ImportDefinition/Specs', 'UserGroup/Quality']);
});
