import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineCounter, parseAllDocuments } from 'yaml';
import { parseYaml } from '#core/manifest/parse.js';
import { parsePlain } from '#core/manifest/parse-plain.js';
import { SEED, scaled } from '../../harness/sample.js';

/** What the parser that keeps positions makes of a text; undefined where it complains. */
function slowly(text: string) {
  const lineCounter = new LineCounter();
  const all = [parseAllDocuments(text, { prettyErrors: false, lineCounter, logLevel: 'error' })].flat();
  if (all.some(({ errors, warnings }) => errors.length + warnings.length > 0)) return undefined;
  return all
    .map((document) => {
      const offset = document.range?.[0] ?? Number.NaN;
      const { line, col: column } = lineCounter.linePos(offset);
      return { value: document.toJS() as unknown, offset, line, column };
    })
    .filter(({ value }) => value !== null);
}

const manifests = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(join('examples', file), 'utf8'));

/** Pieces of YAML, of all that is hostile in it too. */
const PIECES = [
  ...['\n', '\n  ', '\n    ', '\n- ', '\n  - ', '---\n', '\n---\n', '\r\n', ' ', '\t', '...', '\u2028', '\uFEFF'],
  ...['a', 'b: ', 'c:', ': ', ':', '- ', '-', '"', "'", "''", '#', ' # x', '[', ']', '{', '}', ', ', ',', '? ', '<<: '],
  ...[
    '|',
    '>',
    '|\n',
    '>+\n',
    '|-\n',
    '|2\n',
    '&a ',
    '*a',
    '!',
    '!t ',
    '%',
    '@',
    '`',
    '\\n',
    '\\x41',
    '\\',
    '__proto__: ',
  ],
  ...[
    'null',
    '~',
    'Null',
    'true',
    'FALSE',
    'Yes',
    '0x1F',
    '-0x1',
    '0o7',
    '017',
    '0b1',
    '1_000',
    '1e3',
    '.5',
    '-0',
    '+1',
  ],
  ...[
    '.inf',
    '-.INF',
    '.nan',
    '12:30',
    '2026-01-01',
    '9007199254740993',
    'é',
    '“x”',
    'x y',
    "don't",
    'http://a/b',
    'a#b',
  ],
];

const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((some) => some.join(''));

/** A manifest with some pieces in it, at any place. */
const spoilt = fc
  .tuple(fc.constantFrom(...manifests), fc.array(fc.tuple(fc.nat(), fc.constantFrom(...PIECES)), { maxLength: 3 }))
  .map(([text, some]) =>
    some.reduce((all, [at, piece]) => {
      const here = at % (all.length + 1);
      return all.slice(0, here) + piece + all.slice(here);
    }, text),
  );

describe('the fast parser', () => {
  test('reads nearly all manifests: those of the examples', () => {
    const read = manifests.filter((text) => parsePlain(text) !== undefined);
    expect(read.length / manifests.length).toBeGreaterThan(0.7);
  });

  test.each([
    ['pieces', pieces, scaled(200_000, 5000)],
    ['manifests with pieces in them', spoilt, scaled(20_000, 150)],
  ] as const)('never differs from the one that keeps positions: %s', (_, texts, numRuns) => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = parsePlain(text);
        if (plain !== undefined) expect(plain).toEqual(slowly(text));
      }),
      { seed: SEED, numRuns },
    );
  });

  test('has the scalars of the core schema of YAML 1.2', () => {
    const scalars = [
      '~',
      '',
      'Null',
      'true',
      'FALSE',
      'yes',
      '-12',
      '0o17',
      '0x1F',
      '1_000',
      '0b1',
      '1e3',
      '-.5',
      '5.',
    ];
    const others = ['.inf', '-.Inf', '+.INF', '.NaN', '12:30', '2026-01-01', '=', '<<', '9007199254740993'];
    const text = [...scalars, ...others].map((scalar, index) => `k${index}: ${scalar}\n`).join('');
    const all = { ...slowly(text)?.[0] };
    expect(parsePlain(text)).toEqual([all]);
    expect(Object.values(all.value as object).filter((value) => typeof value === 'string')).toEqual([
      ...['yes', '1_000', '0b1', '12:30', '2026-01-01', '=', '<<'],
    ]);
  });

  test('leaves everything to the other one that it may read differently', () => {
    const texts = [
      'a: &x 1\nb: *x\n',
      'a: !t 1\n',
      'a: !\n',
      '%YAML 1.2\n---\na: 1\n',
      'a: 1\n...\n',
      '--- a\n',
      '? a\n: b\n',
      ': b\n',
      'null: b\n',
      'a:\tb\n',
      'a: |2\n   b\n',
      '-\n  a: 1\n',
      'a: "b\n c"\n',
      'a: [1,\n 2]\n',
      'a: { b: "}",\n "{": 1 }\n',
      'a: 1\na: 2\n',
      'a: [\n',
      "a: ''#\n",
      'a: "b"#c\n',
      'a: [1]#c\n',
      '{ a: 1 }: b\n',
      '- [a] : b\n',
      'a: { [b]: c }\n',
      'a: { b:, c: d }\n',
      'a: { b: [c], { d: e } }\n',
      'a: { [b] }\n',
      'a: { Null }\n',
      '|\n# b\n',
    ];
    expect(texts.filter((text) => parsePlain(text) !== undefined)).toEqual([]);
  });
});

test('positions are the same for both parsers', () => {
  const text = '# first\na: 1\n---\n\nb:\n  - c: x\n---\n# nothing\n---\nd: { e: f }\n';
  const origins = (source: string) =>
    parseYaml(source, 'f.yaml').documents.map(({ origins: places }) => [
      places.start,
      ...['/a', '/b/0/c', '/d/e', '/nothing'].flatMap((pointer) => [places.value(pointer), places.key(pointer)]),
    ]);
  expect(parsePlain(text)).toHaveLength(3);
  // A tag at the end moves nothing, but leaves the text to the other parser.
  const other = `${text}---\n!t x: 1\n`.replace('!t x: 1', 'x: !!str 1');
  expect(parsePlain(other)).toBeUndefined();
  expect(origins(text)).toEqual(origins(other).slice(0, 3));
  expect(origins(text)[1]?.[0]).toEqual({ file: 'f.yaml', line: 3, column: 1, layer: 'base' });
});
