import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { openSecrets } from '#base/secrets.js';
import { digest } from '#core/engine/normal-form.js';
import { addressOf } from '#core/model/address.js';
import type { Json } from '#core/model/json.js';
import type { Plan, Step } from '#core/model/plan.js';
import { findList } from '#data/bulk/find-list.js';
import { readPlan, type SavedPlan } from '#delivery/planfile/read-plan.js';
import type { Host } from '#project/host.js';

const update: Step = {
  address: addressOf('UserGroup', 'Quality'),
  action: 'update',
  reason: 'differs',
  message: 'description differs from the manifest.',
  fields: [{ path: 'description', before: 'old', after: 'new' }],
  writes: [{ verb: 'update', name: 'Quality', fields: { description: 'new' }, readFirst: 'yes' }],
  dependsOn: [],
  fingerprint: 'f',
  observed: { description: 'old', enabled: true },
  identity: 'i',
  fact: { stack: 's', how: 'created', applied: { description: 'new' }, protect: false, identity: 'i' },
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
};

const plan: Plan = {
  format: 'dexsync-plan/1',
  stack: 's',
  environment: 'e',
  workspace: { id: '1', name: 'W', identity: 'plm.example.com/1' },
  manifests: 'd',
  nonce: '0d9bd7e5-3a6a-4b2a-9d6e-2f6a8f9f0a11',
  createdAt: '2026-01-01T00:00:00.000Z',
  summary: {
    create: 0,
    update: 1,
    replace: 0,
    delete: 0,
    retire: 0,
    rename: 0,
    adopt: 0,
    forget: 0,
    import: 0,
    manual: 0,
    blocked: 0,
    unchanged: 3,
  },
  notes: [],
  guards: [],
  steps: [update],
  requests: { used: 2, apply: { min: 2, max: 2 }, remaining: 100 },
};

interface Bench {
  readonly path: string;
  read(): Promise<SavedPlan>;
}

async function bench(): Promise<Bench> {
  const cwd = await mkdtemp(join(tmpdir(), 'dexsync-plan-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const host: Host = {
    cwd,
    variables: {},
    secrets: openSecrets(),
    findList,
    version: '0',
    clock: () => new Date(0),
    nonce: () => 'n',
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  return { path: join(cwd, 'plan.json'), read: () => readPlan('plan.json', host) };
}

const whole = (made: object): string => JSON.stringify({ ...made, digest: `sha256:${digest(made as Json)}` });

async function refusal({ read }: Bench): Promise<[exit: number, text: string]> {
  const error = await read().catch((thrown: unknown) => thrown);
  return error instanceof DexsyncError ? [error.exitCode, error.message] : [0, String(error)];
}

test('a saved plan is read back unchanged, in any layout', async () => {
  const on = await bench();
  await writeFile(on.path, JSON.stringify(JSON.parse(whole(plan)), undefined, 7));
  expect(await on.read()).toMatchObject({ file: 'plan.json', plan, signature: 'none' });
});

const files: [what: string, write: (path: string) => Promise<unknown>, says: string][] = [
  ['manifests', (path) => writeFile(path, 'kind: UserGroup\n'), 'plan.json is not a saved plan: it is not JSON.'],
  [
    'other JSON',
    (path) => writeFile(path, '[1]'),
    'plan.json is not a saved plan: it has no "format": "dexsync-plan/1".',
  ],
  ['nothing', (path) => writeFile(path, ''), 'plan.json is not a saved plan: it is not JSON.'],
  [
    'a later version',
    (path) => writeFile(path, '{"format":"dexsync-plan/2"}'),
    'plan.json has the format dexsync-plan/2; this version of dexsync reads dexsync-plan/1.',
  ],
  [
    'a plan that was printed',
    (path) => writeFile(path, JSON.stringify(plan)),
    'plan.json is not a saved plan: it has no digest.',
  ],
  [
    'a signature other than a text',
    (path) => writeFile(path, JSON.stringify({ ...plan, digest: 'x', hmac: 1 })),
    'plan.json is not a saved plan: its "hmac" is not text.',
  ],
  [
    'deep nesting',
    (path) => writeFile(path, `{"format":"dexsync-plan/1","x":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    'plan.json is not a saved plan: it is nested more than 100 levels deep.',
  ],
  ['a folder', (path) => mkdir(path), 'The plan plan.json cannot be read: it is not a regular file.'],
  ['no file', async () => undefined, 'The plan plan.json cannot be read: it does not exist.'],
  [
    'a huge file',
    async (path) => {
      await writeFile(path, '');
      await truncate(path, 1e12);
    },
    'The plan plan.json cannot be read: it has 1000000000000 bytes, and a plan has at most 134217728.',
  ],
];

test.each(files)('%s instead of a plan', async (_, write, says) => {
  const on = await bench();
  await write(on.path);
  expect(await refusal(on)).toEqual([3, says]);
});

test('a plan that was edited is refused', async () => {
  const on = await bench();
  await writeFile(on.path, whole(plan).replace('"new"', '"other"'));
  expect(await refusal(on)).toEqual([
    5,
    'plan.json was changed after it was saved: its digest does not match its content.',
  ]);
});

const step = (over: object): object => ({ ...plan, steps: [{ ...update, ...over }] });
const writing = (...writes: object[]): object => step({ writes });
const supplying = (...writes: object[]): object => step({ address: 'Supplier/Acme', writes });
const { steps: _, ...stepless } = plan;
const { identity: __, ...unidentified } = update;
const created = (write: object): object => ({
  ...plan,
  summary: { ...plan.summary, update: 0, create: 1 },
  steps: [{ ...update, action: 'create', writes: [write] }],
});
const imported = (request: object): object => ({
  ...plan,
  summary: { ...plan.summary, update: 0, import: 1 },
  steps: [
    { ...update, address: 'Import/I', action: 'import', writes: [{ verb: 'import', key: 'k', rows: 1, request }] },
  ],
});
const definition = { spec: { resource: 'ITEM_SPECS', mode: 'EDIT' }, content: {} };

const shapes: [what: string, made: object, says: string][] = [
  ['no steps', stepless, "it must have required property 'steps'."],
  ['steps that are no list', { ...plan, steps: {} }, 'steps must be array.'],
  ['a path as nonce', { ...plan, nonce: '../../x' }, 'nonce must match pattern "^[A-Za-z0-9-]{1,64}$".'],
  ['an unknown kind', step({ address: 'Gadget/Q' }), 'Gadget/Q has a kind that this version of dexsync does not know.'],
  ['a lookup', step({ address: 'User/ann' }), 'User/ann has a kind that this version of dexsync does not know.'],
  ['an unknown action', step({ action: 'toString' }), 'UserGroup/Quality has the unknown action "toString".'],
  ['an unknown verb', writing({ verb: 'drop' }), 'steps[0].writes[0] value of tag "verb" must be in oneOf.'],
  ['a write without its fields', writing({ verb: 'delete' }), "steps[0].writes[0] must have required property 'name'."],
  [
    'a deletion under the name of an update',
    writing({ verb: 'delete', name: 'Quality' }),
    'UserGroup/Quality has a write "delete" that does not fit its action "update".',
  ],
  [
    'a deletion of another object',
    {
      ...plan,
      summary: { ...plan.summary, update: 0, delete: 1 },
      steps: [{ ...update, action: 'delete', writes: [{ verb: 'delete', name: 'Other' }] }],
    },
    'UserGroup/Quality deletes "Other".',
  ],
  [
    'an update of another object',
    writing({ verb: 'update', name: 'Other', fields: {}, readFirst: 'no' }),
    'UserGroup/Quality is updated under the name "Other".',
  ],
  [
    'an unknown field',
    writing({ verb: 'update', name: 'Quality', fields: { guid: 'x' }, readFirst: 'no' }),
    'UserGroup/Quality has no field "guid".',
  ],
  [
    'members of nothing',
    writing({ verb: 'addChild', field: '__proto__', name: 'x' }),
    'UserGroup/Quality has no members "__proto__".',
  ],
  [
    'a value in the place of a member',
    writing({ verb: 'addChild', field: 'members', name: 'x', entry: {} }),
    'UserGroup/Quality writes an entry of "members" that this list cannot have.',
  ],
  [
    'a member in the place of a value',
    supplying({ verb: 'addChild', field: 'addresses', name: 'x' }),
    'Supplier/Acme writes an entry of "addresses" that this list cannot have.',
  ],
  [
    'a value with fields outside its list',
    supplying({ verb: 'updateChild', field: 'addresses', name: 'x', entry: { guid: 'y' } }),
    'Supplier/Acme has no field "addresses.guid".',
  ],
  [
    'an object that its manifest could not ask for',
    created({ verb: 'create', spec: { descriptio: 'x' } }),
    'UserGroup/Quality has no field "descriptio".',
  ],
  [
    'an old object that is renamed back with fields outside its kind',
    created({ verb: 'create', spec: {}, back: { identity: 'i', name: 'Quality', fields: { owner: 'x' } } }),
    'UserGroup/Quality has no field "owner".',
  ],
  [
    'an import without a source',
    imported({ path: 'a.csv', spec: { definition: 'D' }, definition }),
    'Import/I needs the field "source".',
  ],
  [
    'an import through nothing',
    imported({
      path: 'a.csv',
      spec: { definition: 'D', source: { file: 'a.csv' } },
      definition: { spec: {}, content: {} },
    }),
    "steps[0].writes[0].request.definition.spec must have required property 'resource'.",
  ],
  [
    'a need of nothing',
    step({ dependsOn: ['UserGroup/X'] }),
    'UserGroup/Quality depends on UserGroup/X, which is not an earlier step.',
  ],
  ['the same twice', { ...plan, steps: [update, update] }, 'it has two steps for UserGroup/Quality.'],
  [
    'a wrong count',
    { ...plan, summary: { ...plan.summary, delete: 7 } },
    'its summary and its steps have different counts of "delete".',
  ],
  ['nothing seen', { ...plan, steps: [unidentified] }, 'UserGroup/Quality does not contain the observed object.'],
  ['a fact that would harm the ledger', step({ fact: { stack: 's' } }), 'steps[0].fact'],
];

test.each(shapes)('%s in a forged plan', async (_, made, says) => {
  const on = await bench();
  await writeFile(on.path, whole(made));
  expect(await refusal(on)).toEqual([3, expect.stringContaining(`plan.json is not a saved plan: ${says}`)]);
});
