import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { builtIn } from '../src/catalog.js';
import { configSchema } from '../src/config/config-schema.js';
import { journalSchema } from '../src/ledger/journal-record.js';
import { publishedManifestSchema, publishedSchema } from '../src/manifest/published-schema.js';
import { errorDocumentSchema } from '../src/model/diagnostic-schema.js';
import { planSchema } from '../src/model/plan.js';
import { validatedDocumentSchema } from '../src/operations/validated-document.js';
import { driftSchema } from '../src/planning/drift-in-plan.js';
import { withKindsTable } from './conformance/kinds-table.js';

const text = (schema: object): string => `${JSON.stringify(schema, undefined, 2)}\n`;

/** `npm run schema` writes the files that these compare with. */
describe('schema/ is what the kinds say', () => {
  test('manifest.json', async () => {
    await expect(text(publishedManifestSchema(builtIn))).toMatchFileSnapshot('../schema/manifest.json');
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
  test('the documents of `validate --json`, `drift --json` and of an error', async () => {
    await expect(
      text(publishedSchema(validatedDocumentSchema, 'What `dexsync validate --json` prints')),
    ).toMatchFileSnapshot('../schema/validate.json');
    await expect(text(publishedSchema(driftSchema, 'What `dexsync drift --json` prints'))).toMatchFileSnapshot(
      '../schema/drift.json',
    );
    await expect(
      text(publishedSchema(errorDocumentSchema, 'What a command with `--json` prints if it fails')),
    ).toMatchFileSnapshot('../schema/error.json');
  });
});

const read = (name: string): object => JSON.parse(readFileSync(join('schema', name), 'utf8')) as object;
const validator = (name: string) => new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(read(name));

/** Overlays are parts of manifests, and no published schema has kinds of a project's own. */
const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.yaml') && !file.includes('overlays/') && !file.startsWith('own-kind/manifests'),
);

describe('editors that use the published schema accept', () => {
  test.each(examples)('examples/%s', (file) => {
    const validate = validator(file.endsWith('sync.config.yaml') ? 'config.json' : 'manifest.json');
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

test('the table of kinds is what the profiles say', async () => {
  const page = readFileSync('examples/kinds/README.md', 'utf8');
  await expect(withKindsTable(page)).toMatchFileSnapshot('../examples/kinds/README.md');
});
