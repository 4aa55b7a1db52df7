import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import type { OwnEntries } from '#core/model/kind.js';
import { loadOwnKinds } from '../../dist/project/own-kinds.js';
import { atEnd } from '../harness/at-end.js';

const KIND = pathToFileURL('dist/kind.js').href;
const endpoints = `endpoints: { path: '/suppliers', paged: true, can: { update: ['name', 'text'] } }`;

/** The module of a kind with these members instead of its own. */
const moduleOf = (members = ''): string => `import { defineKind, keyedList, object, ref, Type } from '${KIND}';
export default { ...defineKind({
  name: 'Supplier', summary: 'One.', ${endpoints}, schema: object({ text: Type.Optional(Type.String()) }),
}), ${members} };`;

const KEYED = `object({ text: keyedList(['id'], object({ id: Type.String() })) })`;
const CONVERTED = 'toWire: () => 7, fromWire: (body) => body';

const origin = { file: 'sync.config.yaml', line: 3, column: 5, layer: 'base' };

async function load(files: Readonly<Record<string, string>>, trust: object = { trust: true }) {
  const folder = await mkdtemp(join(tmpdir(), 'kinds-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    if (text !== '') await writeFile(join(folder, file), text);
  }
  const kinds = Object.keys(files).map((file) => ({ file, origin }));
  return loadOwnKinds({ kinds, folder }, { variables: {}, ...trust });
}

const found = async (files: Readonly<Record<string, string>>): Promise<string[]> =>
  (await load(files)).diagnostics.map(({ code, message }) => `${code}: ${message}`);

test('a module that is never ready is reported', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  atEnd(() => void vi.useRealTimers());
  let messages: readonly string[] = [];
  void found({ 'a.mjs': 'await new Promise(() => {});' }).then((all) => (messages = all));
  while (messages.length === 0) {
    await new Promise(setImmediate);
    vi.advanceTimersByTime(30_000);
  }
  expect(messages).toEqual(['kind-failed: The kind a.mjs cannot be loaded: it was not ready within 30 seconds.']);
});

describe('without trust', () => {
  test.each([{}, { variables: { DEXSYNC_TRUST: '1' } }])('nothing is imported: %j', async (trust) => {
    const { catalog, diagnostics } = await load({ 'a.mjs': 'globalThis.wasRun = true;', 'b.mjs': '' }, trust);
    expect(Reflect.get(globalThis, 'wasRun')).toBeUndefined();
    expect(catalog.kindNamed('Supplier')?.endpoints).toBeUndefined();
    expect(diagnostics).toEqual([
      {
        severity: 'error',
        code: 'kinds-untrusted',
        message: 'The configuration loads code: a.mjs, b.mjs. It was not run.',
        hint: 'Read it, then add `--trust` (or set DEXSYNC_TRUST=yes) to run it with all permissions of your user. In a pipeline, do so only for code that was reviewed.',
        origin,
      },
    ]);
  });
});

test('a kind is only in the catalog of its project', async () => {
  const own = await load({ 'a.mjs': moduleOf() }, { variables: { DEXSYNC_TRUST: 'yes' } });
  const other = await load({});
  expect(own.diagnostics).toEqual([]);
  expect([own, other].map(({ catalog }) => catalog.kindNamed('Supplier')?.collection)).toEqual([
    'own:Supplier',
    'suppliers',
  ]);
});

test('a kind may be exported as `kind`, and refer to one that comes after it', async () => {
  const first = moduleOf(
    `name: 'First', endpoints: { path: '/first', paged: false }, schema: object({ other: ref('Supplier') })`,
  );
  const files = { 'first.mjs': first.replace('export default', 'export const kind ='), 'a.mjs': moduleOf() };
  const { catalog, diagnostics } = await load(files);
  expect(diagnostics).toEqual([]);
  expect(catalog.kinds.map(({ name }) => name)).toEqual(expect.arrayContaining(['First', 'Supplier']));
});

describe('an invalid kind is refused:', () => {
  test.each([
    ['a file that is not there', '', 'kind-missing: The kind a.mjs does not exist.'],
    [
      'a module that throws',
      `throw new Error('no database');`,
      'kind-failed: The kind a.mjs cannot be loaded: no database.',
    ],
    ['a module that throws no error', `throw undefined;`, 'kind-failed: The kind a.mjs cannot be loaded: undefined.'],
    ['no JavaScript', `kind: Supplier`, 'kind-failed: The kind a.mjs cannot be loaded: Supplier is not defined.'],
    ['a module without exports', `let kind;`, 'kind-invalid: The kind a.mjs exports no kind.'],
    [
      'an import of something else',
      `import 'nowhere-to-be-found';`,
      expect.stringMatching(/^kind-failed: The kind a.mjs cannot be loaded: Cannot find package 'nowhere-to-be-found'/),
    ],
    ['a text', `export default 'Supplier';`, 'kind-invalid: The kind a.mjs exports no kind.'],
    [
      'an object that defineKind has not seen',
      `export default { name: 'Supplier' };`,
      'kind-invalid: The kind a.mjs was not made with `defineKind`.',
    ],
    ['a function of another type', moduleOf(`check: 'x'`), 'kind-invalid: The kind a.mjs needs a function as `check`.'],
    ['no summary', moduleOf('summary: undefined'), 'kind-invalid: The kind a.mjs needs the field "summary".'],
    [
      'a name in lower case',
      moduleOf(`name: 'supplier'`),
      'kind-invalid: The kind a.mjs has an invalid value in "name": expected a name of letters and digits such as Supplier, got "supplier".',
    ],
    [
      'the name of a built-in kind',
      moduleOf(`name: 'Usergroup'`),
      'kind-invalid: The kind a.mjs has the name Usergroup, which another kind has.',
    ],
    [
      'the name of a built-in kind with another path',
      moduleOf(`endpoints: { path: '/a', paged: false }`),
      'kind-invalid: The kind a.mjs has the name Supplier, which another kind has.',
    ],
    [
      'the name of a lookup',
      moduleOf(`name: 'User'`),
      'kind-invalid: The kind a.mjs has the name User, which another kind has.',
    ],
    [
      'the objects of a built-in kind',
      moduleOf(`name: 'Group', endpoints: { path: '/settings/usergroups', paged: false }`),
      'kind-invalid: The kind a.mjs has the path /settings/usergroups, whose objects UserGroup describes.',
    ],
    ['no endpoints', moduleOf('endpoints: undefined'), expect.stringMatching(/^kind-invalid: The kind a.mjs/)],
    [
      'an unknown profile',
      moduleOf(`endpoints: { path: '/a', paged: false, profiles: { aerna: {} } }`),
      'kind-invalid: The kind a.mjs has no field "endpoints.profiles.aerna".',
    ],
    [
      'a whole URL',
      moduleOf(`endpoints: { path: 'https://x.example.com', paged: false }`),
      expect.stringMatching(/"endpoints.path"/),
    ],
    [
      'a field "name"',
      moduleOf('schema: object({ name: Type.String(), text: Type.String() })'),
      'kind-invalid: The kind a.mjs has a field "name".',
    ],
    [
      'an open schema',
      moduleOf('schema: Type.Object({ text: Type.String() })'),
      'kind-invalid: The kind a.mjs accepts unknown fields.',
    ],
    [
      'a schema with a word of its own',
      moduleOf(`schema: object({ text: Type.String({ colour: 'red' }) })`),
      'kind-invalid: The kind a.mjs has a schema that cannot be used: strict mode: unknown keyword: "colour".',
    ],
    [
      'an update of no field',
      moduleOf(`name: 'Other', endpoints: { path: '/a', paged: false, can: { update: ['txt'] } }`),
      'kind-invalid: The kind a.mjs has "txt" in `update`, but no such field in its schema.',
    ],
    [
      'a list of values without a key',
      moduleOf(`schema: object({ text: Type.Array(Type.String()) }), children: { text: { path: 'a', ${CONVERTED} } }`),
      'kind-invalid: The kind a.mjs has the list "text", whose entries cannot be written.',
    ],
    [
      'a list of values that nothing converts',
      moduleOf(`schema: ${KEYED}, children: { text: { path: 'a' } }`),
      'kind-invalid: The kind a.mjs has the list "text", whose entries cannot be written.',
    ],
    [
      'a reference to nothing',
      moduleOf(`schema: object({ text: ref('Suplier') })`),
      'kind-invalid: The kind a.mjs refers to "Suplier", which is not a kind or lookup.',
    ],
  ])('%s', async (_, text, message) => {
    expect(await found({ 'a.mjs': text })).toEqual([message]);
  });

  test('two of one name', async () => {
    expect(await found({ 'a.mjs': moduleOf(), 'b.mjs': moduleOf() })).toEqual([
      'kind-invalid: The kind b.mjs has the name Supplier, which another kind has.',
    ]);
  });
});

describe('a failing function of a kind names the kind:', () => {
  test.each([
    ['throws', `toWire: () => { throw new TypeError('x is not a function'); }`, 'x is not a function'],
    ['gives the wrong thing', 'toWire: () => 7', 'it returned the wrong type'],
  ])('%s', async (_, members, why) => {
    const { catalog } = await load({ 'a.mjs': moduleOf(members) });
    const context = { guidOf: () => 'G', attributeToWire: () => '' };
    expect(() => catalog.knownKind('Supplier').toWire({}, context)).toThrow(
      expect.objectContaining({ code: 'KIND_FAILED', message: `toWire of the kind Supplier (a.mjs) failed: ${why}.` }),
    );
  });

  test('also one of a list', async () => {
    const members = `schema: ${KEYED}, children: { text: { path: 'a', ${CONVERTED} }, more: { path: 'b', ref: 'User' } }`;
    const { catalog } = await load({ 'a.mjs': moduleOf(members.replace('object({', 'object({ more: Type.String(),')) });
    const { text, more } = catalog.knownKind('Supplier').children;
    const { toWire } = text as OwnEntries;
    expect(() => toWire({}, { guidOf: () => 'G', attributeToWire: () => '' })).toThrow(
      expect.objectContaining({
        message: 'toWire of "text" of the kind Supplier (a.mjs) failed: it returned the wrong type.',
      }),
    );
    expect(more).toEqual({ path: 'b', ref: 'User' });
  });
});
