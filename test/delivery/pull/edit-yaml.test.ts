import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { builtIn } from '#core/catalog.js';
import { diffSpec } from '#core/engine/diff.js';
import { interpolate } from '#core/manifest/interpolate.js';
import { parseYaml } from '#core/manifest/parse.js';
import type { JsonObject } from '#core/model/json.js';
import { editDocument, sliceDocuments } from '#delivery/pull/edit-yaml.js';
import { editsFor } from '#delivery/pull/edits.js';
import { fileName, filesFor, kindFileName } from '#delivery/pull/layout.js';
import { readText, writtenText } from '#delivery/pull/source-text.js';
import { scaled } from '../../harness/sample.js';

const schemaOf = (kind: string): object => builtIn.schemaOf(kind);

const text = fc.oneof(
  fc.constantFrom('', 'a: b', '${var.x}', '# no', "it's", '"q"', 'true', '1', '- x', 'two\nlines\n', 'é'),
  fc.string(),
);
const group = fc.record(
  {
    description: text,
    enabled: fc.boolean(),
    assignability: fc.subarray(['CHANGES', 'QUALITY', 'POLICIES']),
    members: fc.uniqueArray(fc.constantFrom('ann@x', 'bo@x', 'cy@x', 'a, b', '{d}')),
  },
  { requiredKeys: [] },
);
const policy = fc.record(
  {
    description: text,
    rules: fc.uniqueArray(
      fc.record({
        resource: fc.constantFrom('ITEM', 'CHANGE', 'FILE'),
        actions: fc.subarray(['READ', 'EDIT', 'CREATE'], { minLength: 1 }),
      }),
      { selector: ({ resource }) => resource },
    ),
  },
  { requiredKeys: [] },
);

/** Ways in which people write the same. */
const styles = fc.record({
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
  defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
});

const specIn = (written: string): JsonObject => {
  const { documents } = interpolate(parseYaml(written, 'a.yaml').documents, {});
  const [document] = documents;
  return (document as { value: { spec: JsonObject } }).value.spec;
};

describe('an edited manifest', () => {
  test.each([
    ['UserGroup', group],
    ['Policy', policy],
  ] as const)('of kind %s asks for nothing that its comments name, and keeps them', (kind, spec) => {
    fc.assert(
      fc.property(spec, spec, styles, (before, live, style) => {
        const escaped = JSON.parse(JSON.stringify(before).replaceAll('${', () => '$${')) as JsonObject;
        const body = stringify({ apiVersion: 'dexsync/v1', kind, metadata: { name: 'A' }, spec: escaped }, style);
        let written = `# above\n${body}# below\n`;
        const edits = editsFor({
          schema: schemaOf(kind),
          written: before as JsonObject,
          desired: before as JsonObject,
          live: live as JsonObject,
          untouched: [],
        });
        for (const edit of edits) {
          const outcome = editDocument(written, edit);
          expect(outcome).toHaveProperty('text');
          if ('text' in outcome) written = outcome.text;
        }
        const after = specIn(written);
        expect(diffSpec(schemaOf(kind), after, live as JsonObject)).toEqual([]);
        expect(Object.keys(after).filter((field) => !(field in before))).toEqual([]);
        expect(written).toMatch(/^# above\n[\s\S]*# below\n$/);
      }),
      { numRuns: scaled(5000, 40) },
    );
  });

  const edit = (yaml: string, pointer: string, value: string) => editDocument(yaml, { is: 'set', pointer, value });

  test('keeps everything around a replaced value', () => {
    const yaml = "spec:\n  a:   'x' # why\n\n  b: [ 1,2 ]   # two\n";
    expect(edit(yaml, '/a', "y's")).toEqual({ text: yaml.replace("'x'", "'y''s'") });
    expect(edit('spec: { a: x, b: y }', '/a', 'p, q')).toMatchObject({ text: expect.stringContaining('p, q') });
  });

  test('stays where an expression would be overwritten, or an anchor that others use', () => {
    expect(edit('spec: { a: "${var.x}" }', '/a', 'y')).toEqual({ left: 'expression' });
    expect(edit('spec: { a: "$${var.x}" }', '/a', 'y')).toEqual({ text: 'spec: { a: "y" }' });
    expect(edit('spec: { a: &a x, b: *a }', '/a', 'y')).toEqual({ left: 'unsafe' });
    expect(edit('spec: { a: &a x, b: *a }', '/b', 'y')).toEqual({ text: 'spec: { a: &a x, b: y }' });
  });
});

test('splitting a file into documents loses nothing, and joining them gives the file back', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('# c\n', 'a: 1\n', '---\n', '...\n', '\n', '--- # x\n', 'b: |\n  t\n', '---\n{}\n'), {
        maxLength: 8,
      }),
      (parts) => {
        const { before, documents } = sliceDocuments(parts.join(''));
        expect(before + documents.map((one) => one.text).join('')).toBe(parts.join(''));
      },
    ),
    { numRuns: scaled(5000, 100) },
  );
  for (const file of ['\uFEFFa\r\nb\r\n', 'a\r\nb\n', 'a\nb', '', '\r\n']) {
    const { text: plain, ...form } = readText(file);
    expect(writtenText(plain, form)).toBe(file);
  }
});

describe('names of files', () => {
  test.each([
    ['ERP items', 'erp-items'],
    ['../../etc/passwd', 'etc-passwd'],
    ['CON', 'con-object'],
    ['Prüfung', 'pru-fung'],
    ['a'.repeat(300), 'a'.repeat(80)],
  ])('of %s', (name, file) => expect(fileName(name)).toBe(file));

  test('without an ASCII letter differ, and never leave the folder', () => {
    expect(fileName('品質')).toMatch(/^object-[0-9a-f]{8}$/);
    expect(fileName('品質')).not.toBe(fileName('設計'));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => /^[a-z0-9-]{1,100}$/.test(fileName(name))));
  });

  test('differ for any two objects of one layout, even without letter case', () => {
    const named = (name: string) => ({ kind: 'UserGroup', name });
    const taken = (file: string): boolean => file === 'user-groups/a-2.yaml';
    expect(filesFor([named('A'), named('a'), named('b')], 'object', taken)).toEqual([
      'user-groups/a.yaml',
      'user-groups/a-3.yaml',
      'user-groups/b.yaml',
    ]);
    expect(filesFor([named('A'), named('a')], 'kind', taken)).toEqual(['user-groups.yaml', 'user-groups.yaml']);
    expect(['Policy', 'OutboundIntegration', 'Key'].map(kindFileName)).toEqual([
      'policies',
      'outbound-integrations',
      'keys',
    ]);
  });
});
