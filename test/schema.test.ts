import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { pulledDocumentSchema } from '#app/operations/pulled-document.js';
import { validatedDocumentSchema } from '#app/operations/validated-document.js';
import { builtIn } from '#core/catalog.js';
import { publishedOverlaySchema } from '#core/manifest/overlay-schema.js';
import { publishedManifestSchema, publishedSchema } from '#core/manifest/published-schema.js';
import { errorDocumentSchema } from '#core/model/diagnostic-schema.js';
import { planSchema } from '#core/model/plan.js';
import { eventSchema } from '#core/stream/event-schema.js';
import { comparisonSchema } from '#delivery/planning/comparison.js';
import { driftSchema } from '#delivery/planning/drift-in-plan.js';
import { faultFileSchema } from '#emulator/faults/fault-file.js';
import { journalSchema } from '#ledger/journal-record.js';
import { configSchema } from '#project/config/config-schema.js';
import { withKindsTable } from './conformance/kinds-table.js';

/** Each property, kind or event in a line of its own: indented, these files would be a tenth of the package. */
function text(schema: object): string {
  const members = Object.entries(schema).map(([key, value]) => `${JSON.stringify(key)}: ${inLines(value)}`);
  return `{\n${members.join(',\n')}\n}\n`;
}

function inLines(value: unknown): string {
  if (Array.isArray(value)) return `[\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${JSON.stringify(one)}`);
  return `{\n${members.join(',\n')}\n}`;
}

/** `npm run schema` writes the files that these compare with. */
describe('schema/ matches the kinds', () => {
  test('manifest.json', async () => {
    await expect(text(publishedManifestSchema(builtIn))).toMatchFileSnapshot('../schema/manifest.json');
  });
  test('overlay.json', async () => {
    await expect(text(publishedOverlaySchema(builtIn))).toMatchFileSnapshot('../schema/overlay.json');
  });
  test('plan.json', async () => {
    await expect(text(publishedSchema(planSchema, 'A plan of dexsync'))).toMatchFileSnapshot('../schema/plan.json');
  });
  test('journal.json', async () => {
    await expect(text(publishedSchema(journalSchema, 'A line of a journal of dexsync'))).toMatchFileSnapshot(
      '../schema/journal.json',
    );
  });
  test('config.json', async () => {
    await expect(text(publishedSchema(configSchema, 'The configuration of dexsync'))).toMatchFileSnapshot(
      '../schema/config.json',
    );
  });
  test('faults.json', async () => {
    await expect(
      text(publishedSchema(faultFileSchema, 'A file for `dexsync workspace serve --faults`')),
    ).toMatchFileSnapshot('../schema/faults.json');
  });
  test('the documents of `validate --json`, `diff --json`, `pull --json`, `drift --json` and of an error match', async () => {
    await expect(
      text(publishedSchema(validatedDocumentSchema, 'What `dexsync validate --json` prints')),
    ).toMatchFileSnapshot('../schema/validate.json');
    await expect(text(publishedSchema(comparisonSchema, 'What `dexsync diff --json` prints'))).toMatchFileSnapshot(
      '../schema/diff.json',
    );
    await expect(text(publishedSchema(pulledDocumentSchema, 'What `dexsync pull --json` prints'))).toMatchFileSnapshot(
      '../schema/pull.json',
    );
    await expect(text(publishedSchema(driftSchema, 'What `dexsync drift --json` prints'))).toMatchFileSnapshot(
      '../schema/drift.json',
    );
    await expect(
      text(publishedSchema(errorDocumentSchema, 'What a command with `--json` prints if it fails')),
    ).toMatchFileSnapshot('../schema/error.json');
  });
  test('a line of `--json` of a command that works in steps matches', async () => {
    await expect(text(publishedSchema(eventSchema, 'A line of `dexsync apply --json`'))).toMatchFileSnapshot(
      '../schema/events.json',
    );
  });
});

const read = (name: string): object => JSON.parse(readFileSync(join('schema', name), 'utf8')) as object;
const compiled = new Map<string, ValidateFunction>();

function validator(name: string): ValidateFunction {
  const known = compiled.get(name) ?? new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(read(name));
  compiled.set(name, known);
  return known;
}

/** No published schema has kinds of a project's own. */
const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.yaml') && !file.startsWith('own-kind/manifests'),
);

function schemaFor(file: string): string {
  if (file.endsWith('sync.config.yaml')) return 'config.json';
  if (file.endsWith('faults.yaml')) return 'faults.json';
  return file.includes('overlays/') ? 'overlay.json' : 'manifest.json';
}

describe('editors that use the published schema accept', () => {
  test.each(examples)('examples/%s', (file) => {
    const validate = validator(schemaFor(file));
    for (const document of parseAllDocuments(readFileSync(join('examples', file), 'utf8'))) {
      expect(validate(document.toJS()), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  test('sync.config.yaml', () => {
    const [document] = parseAllDocuments(readFileSync('sync.config.yaml', 'utf8'));
    const validate = validator('config.json');
    expect(validate(document?.toJS()), JSON.stringify(validate.errors)).toBe(true);
  });

  test('null for an optional field, a new value of an open enumeration, and nothing else', () => {
    const validate = validator('manifest.json');
    const group = (spec: object) => ({ apiVersion: 'dexsync/v1', kind: 'UserGroup', metadata: { name: 'x' }, spec });
    expect(validate(group({ description: null, assignability: ['LATER'] }))).toBe(true);
    expect(validate(group({ descripton: 'a' }))).toBe(false);
    expect(validate(group({ enabled: 'yes' }))).toBe(false);
  });
});

describe('editors that use the schema of overlays', () => {
  const overlay = (kind: string, rest: object, metadata: object = {}) => ({
    ...{ apiVersion: 'dexsync/v1', kind, metadata: { name: 'x', ...metadata } },
    ...rest,
  });
  const mapping = (...entries: object[]) => overlay('ImportDefinition', { spec: { options: { mapping: entries } } });

  test.each([
    ['a part of a manifest', overlay('ImportDefinition', { spec: { mode: 'EDIT' } })],
    ['metadata alone', overlay('UserGroup', {}, { protect: true, labels: { team: 'a' } })],
    ['a manifest that is deleted', overlay('UserGroup', { $patch: 'delete' })],
    ['a field that is deleted', overlay('UserGroup', { spec: { description: { $patch: 'delete' } } })],
    ['a list that is deleted', overlay('UserGroup', { spec: { members: { $patch: 'delete' } } })],
    ['a label that is deleted', overlay('UserGroup', {}, { labels: { team: { $patch: 'delete' } } })],
    ['a map that is replaced', overlay('ImportDefinition', { spec: { options: { $patch: 'replace', mapping: [] } } })],
    ['entries added and removed', overlay('UserGroup', { spec: { members: { $add: ['a'], $remove: ['b'] } } })],
    ['an entry by one key, deleted', mapping({ sourceName: 'Part', $patch: 'delete' })],
    ['a cleared field', overlay('UserGroup', { spec: { description: null } })],
  ])('accept %s', (_, document) => {
    const validate = validator('overlay.json');
    expect(validate(document), JSON.stringify(validate.errors)).toBe(true);
  });

  test.each([
    ['a typo in a field', overlay('UserGroup', { spec: { descripton: 'a' } })],
    ['a typo in an entry', mapping({ sourcename: 'Part' })],
    ['a typo in metadata', overlay('UserGroup', {}, { protected: true })],
    ['a value of the wrong type', overlay('UserGroup', { spec: { enabled: 'yes' } })],
    ['another marker', overlay('UserGroup', { $patch: 'remove' })],
    ['a marker beside a change of a list', overlay('UserGroup', { spec: { members: { $add: ['a'], $set: [] } } })],
    ['a text that is added to a text', overlay('UserGroup', { spec: { description: { $add: ['a'] } } })],
    [
      'an entry to add that is not whole',
      overlay('ImportDefinition', { spec: { options: { mapping: { $add: [{}] } } } }),
    ],
    ['no name', { kind: 'UserGroup', metadata: {} }],
    ['an unknown kind', overlay('UserGruop', {})],
  ])('refuse %s', (_, document) => {
    expect(validator('overlay.json')(document)).toBe(false);
  });
});

test('the table of kinds matches the profiles', async () => {
  const page = readFileSync('examples/kinds/README.md', 'utf8');
  await expect(withKindsTable(page)).toMatchFileSnapshot('../examples/kinds/README.md');
});
