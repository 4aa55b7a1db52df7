import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Document, parseAllDocuments, visit } from 'yaml';
import { builtIn } from '#core/catalog.js';
import { formatIfPossible, formatYaml } from '#core/manifest/format.js';
import { scaled } from '../../harness/sample.js';

function formatted(text: string): string {
  const result = formatYaml(text, 'm.yaml', builtIn);
  if ('text' in result) return result.text;
  if ('left' in result) return text;
  throw new Error(result.diagnostics.map(({ message }) => message).join());
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`;
const values = (text: string): unknown[] => [parseAllDocuments(text)].flat().map((document) => document.toJS());
const comments = (text: string): string[] => [...text.matchAll(/# .*$/gm)].map(([found]) => found).sort();

const KEYS = ['apiVersion', 'kind', 'forEach', 'metadata', 'spec', '$patch'];

const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml') && !/(sync\.config|faults)\.yaml$/.test(file))
  .map((file) => join('examples', file));

describe('the examples', () => {
  test.each(examples)('%s is formatted already', (file) => {
    const text = readFileSync(file, 'utf8');
    expect(formatted(text)).toBe(text);
  });

  test.each(examples)(
    '%s with its keys in any order and style keeps its meaning and all comments, and is formatted after one pass',
    (file) => {
      const text = readFileSync(file, 'utf8');
      fc.assert(
        fc.property(
          fc.infiniteStream(fc.nat(1000)),
          fc.constantFrom(2, 3, 4),
          fc.boolean(),
          (numbers, indent, indentSeq) => {
            const shuffled = [parseAllDocuments(text)]
              .flat()
              .map((document) => shuffle(document as Document, numbers).toString({ indent, indentSeq, lineWidth: 0 }))
              .join('');
            const once = formatted(shuffled);
            expect(values(once)).toEqual(values(text));
            expect(comments(once)).toEqual(comments(shuffled));
            expect(formatted(once)).toBe(once);
            const keys = [parseAllDocuments(once)].flat().map((document) => Object.keys(document.toJS() as object));
            for (const own of keys) expect(own).toEqual(KEYS.filter((key) => own.includes(key)));
          },
        ),
        { numRuns: scaled(25, 4) },
      );
    },
  );
});

function shuffle(document: Document, numbers: fc.Stream<number>): Document {
  visit(document, {
    Map(_, map) {
      const ranked = map.items.map((item) => ({ item, rank: numbers.next().value as number }));
      map.items = ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
    },
  });
  return document;
}

test('unreadable content, and content without a form, stays as it is', () => {
  for (const text of ['a: [\n', '%YAML 1.2\n---\na:   1\n']) expect(formatIfPossible(text, builtIn)).toBe(text);
  expect(formatIfPossible('a:   1\n', builtIn)).toBe('a: 1\n');
});

describe('formatting changes some layout and keeps the rest', () => {
  const cases: [what: string, before: string, after: string][] = [
    ['nothing of nothing', '', ''],
    ['only comments', '\n\n# a\n\n\n# b\n\n', lines('# a', '', '# b')],
    [
      'the order of keys, with the comments of each',
      lines(
        '# of the file',
        'spec:',
        '    # of members',
        '    members: [a,b] # behind',
        '    description: x',
        '    own: 1',
        '# of metadata',
        'metadata: {labels: {b: 1, a: 2}, name: N}',
        'kind: UserGroup',
        'apiVersion: dexsync/v1',
      ),
      lines(
        '# of the file',
        'apiVersion: dexsync/v1',
        'kind: UserGroup',
        '# of metadata',
        'metadata: { name: N, labels: { b: 1, a: 2 } }',
        'spec:',
        '  description: x',
        '  # of members',
        '  members: [a, b] # behind',
        '  own: 1',
      ),
    ],
    [
      'blank lines between keys go along with the place, not with the key',
      lines('kind: UserGroup', 'metadata: { name: N }', '', 'apiVersion: dexsync/v1'),
      lines('apiVersion: dexsync/v1', '', 'kind: UserGroup', 'metadata: { name: N }'),
    ],
    [
      'blank lines and comments between documents',
      lines('a: 1', '# end', '', '', '---', '', '# second', 'b: 2', '', '--- # third', 'c: 3', '...', '', ''),
      lines('a: 1', '# end', '', '---', '', '# second', 'b: 2', '', '--- # third', 'c: 3', '...'),
    ],
    [
      'lists of maps in the order of their schema',
      lines(
        'apiVersion: dexsync/v1',
        'kind: ImportDefinition',
        'metadata: { name: D }',
        'spec:',
        '  options:',
        '    mapping:',
        '    - {sourceName: A, resource: R, apiName: n}',
        '  mode: EDIT',
        '  resource: R',
      ),
      lines(
        'apiVersion: dexsync/v1',
        'kind: ImportDefinition',
        'metadata: { name: D }',
        'spec:',
        '  resource: R',
        '  mode: EDIT',
        '  options:',
        '    mapping:',
        '      - { resource: R, apiName: n, sourceName: A }',
      ),
    ],
    [
      'scalars as they are written',
      lines(
        'a:',
        '    n: 1.50',
        '    e: 1e3',
        '    h: 0x1F',
        '    t: ~',
        '    u:',
        `    q: 'it''s'`,
        '    d: "a\\nb\\u00e9"',
        '    long: word word word word word word word word word word word word word word word word word word word word word',
        '    two: plain',
        '      on',
        '',
        '      lines  ',
        '    fold: > # why',
        '       folded',
        '       text',
        '',
        '       para',
        '    lit: |-',
        '       literal',
        '         deeper',
        '    last: 1',
      ),
      lines(
        'a:',
        '  n: 1.50',
        '  e: 1e3',
        '  h: 0x1F',
        '  t: ~',
        '  u:',
        `  q: 'it''s'`,
        '  d: "a\\nb\\u00e9"',
        '  long: word word word word word word word word word word word word word word word word word word word word word',
        '  two: plain',
        '    on',
        '',
        '    lines',
        '  fold: > # why',
        '    folded',
        '    text',
        '',
        '    para',
        '  lit: |-',
        '    literal',
        '      deeper',
        '  last: 1',
      ),
    ],
    ['a text that keeps its last lines', 'a:\n    k: |+\n        x\n\n\n', 'a:\n  k: |+\n    x\n\n\n'],
    ['a text that says how far it is indented', 'a:\n    k: |2\n         x\n', 'a:\n  k: |2\n       x\n'],
    ['white space at the end of a block text', 'a: |\n  x\n\n\n  y \nb: 1\n', 'a: |\n  x\n\n\n  y \nb: 1\n'],
    ['white space that is text', '# a\u00a0\nb: >-\n  \u00a0x\n', '# a\u00a0\nb: >-\n  \u00a0x\n'],
    ['an empty block text', 'a:\n   k: |\n   m: 1\n', 'a:\n  k: |\n\n  m: 1\n'],
    ['a document that is one text', '--- |\n  x\n  y\n', '---\n|\nx\ny\n'],
    [
      'flow collections of several lines become blocks',
      lines('{', '  "a": [1, 2],', '  "b": [', '    {"c": 1}', '  ]', '}'),
      lines('"a": [1, 2]', '"b":', '  - { "c": 1 }'),
    ],
    ['anchors and aliases', lines('a: &x {p: 1}', 'b: *x'), lines('a: &x { p: 1 }', 'b: *x')],
    [
      'an alias never comes before its anchor: the order stays',
      lines('spec: &x { b: 1 }', 'kind: UserGroup', 'metadata: *x', 'apiVersion:  dexsync/v1'),
      lines('spec: &x { b: 1 }', 'kind: UserGroup', 'metadata: *x', 'apiVersion: dexsync/v1'),
    ],
    [
      'keys that are no text',
      lines('apiVersion: a', '? [1,  2]', ': x', '1:  y'),
      lines('apiVersion: a', '? [1, 2]', ': x', '1: y'),
    ],
    ['a file with a directive, whole', '%YAML 1.2\n---\na:   1\n', '%YAML 1.2\n---\na:   1\n'],
    ['a file with a marker behind a marker, whole', '--- ---  x\n', '--- ---  x\n'],
    ['line ends of another system', 'a:   1\r\nb: |\r\n  x\r\n', 'a: 1\nb: |\n  x\n'],
    ['a file without a manifest', 'b:   1\na: 2', 'b: 1\na: 2\n'],
    [
      'an empty spec and an empty list',
      lines('apiVersion: v', 'kind: UserGroup', 'spec: {  }'),
      lines('apiVersion: v', 'kind: UserGroup', 'spec: {}'),
    ],
  ];
  test.each(cases)('%s', (_, before, after) => {
    expect(formatted(before)).toBe(after);
    expect(formatted(after)).toBe(after);
    expect(values(after)).toEqual(values(before));
  });
});

test('broken YAML is reported with its place', () => {
  expect(formatYaml('a: 1\nb: [\n', 'm.yaml', builtIn)).toMatchObject({
    diagnostics: [{ severity: 'error', code: 'yaml-syntax', origin: { file: 'm.yaml', line: 3, column: 1 } }],
  });
});

test.each(['a\n  ---\n', '--- \n  ---\n\n"x\n\n\tb\n }? \'\n'])(
  '%j is refused where formatting would change its meaning',
  (text) => {
    expect(formatYaml(`a: 1\n---\n${text}`, 'm.yaml', builtIn)).toMatchObject({
      diagnostics: [
        { severity: 'error', code: expect.stringMatching(/format-unsafe|yaml-syntax/), origin: { file: 'm.yaml' } },
      ],
    });
  },
);

test('any YAML keeps its meaning, and is formatted after one pass', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'small' }), fc.constantFrom(2, 4), (value, indent) => {
      // Refused wherever it stands, and tested as such.
      fc.pre(!/"(__proto__|<<)"/.test(JSON.stringify(value)));
      const text = new Document(value).toString({ indent, lineWidth: 30 });
      const once = formatted(text);
      expect(values(once)).toEqual(values(text));
      expect(formatted(once)).toBe(once);
    }),
    { numRuns: scaled(300, 100) },
  );
});
