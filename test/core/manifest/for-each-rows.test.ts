import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { interpolate, type ListPlace, listPlaces } from '#core/manifest/interpolate.js';
import { limitRepeats } from '#core/manifest/limit-repeats.js';
import { parseYaml } from '#core/manifest/parse.js';
import type { CellFault, RowTable } from '#core/manifest/row-table.js';
import { validateManifests } from '#core/manifest/validate.js';
import type { Document } from '#core/model/document.js';

/** A list as its reader gives it: the first line has the headers, and rows are counted from it. */
function table(lines: readonly string[], faults: Readonly<Record<number, readonly CellFault[]>> = {}): RowTable {
  const [headers = [], ...rows] = lines.map((line) => line.split('|'));
  return {
    name: 's.csv',
    headers,
    rows: rows.map((cells, index) => {
      const row = index + 2;
      return faults[row] === undefined ? { row, cells } : { row, cells, faults: faults[row] };
    }),
    find(header) {
      const at = headers.flatMap((one, index) => (one.toLowerCase() === header.toLowerCase() ? [index] : []));
      if (at.length > 1) return { is: 'repeated' };
      return at[0] === undefined ? undefined : { is: 'at', index: at[0] };
    },
  };
}

const HEAD = 'kind: Supplier\nforEach: { file: s.csv }\nmetadata: { name: "${row.Name}" }\n';

function made(text: string, list: RowTable, values: Readonly<Record<string, unknown>> = {}) {
  const lists = { tableOf: () => list, catalog: builtIn };
  const { documents, diagnostics } = interpolate(parseYaml(text, 'm.yaml').documents, values, () => 'dev', lists);
  const values_ = documents.map(({ value }) => value as { metadata: { name: string }; spec?: unknown });
  return {
    documents,
    names: values_.map(({ metadata }) => metadata?.name),
    specs: values_.map(({ spec }) => spec),
    said: diagnostics.map(({ origin, code, message, hint }) =>
      [`${origin?.line}:${origin?.column} ${code}`, message, hint].join(' | '),
    ),
  };
}

describe('a manifest of rows describes an object for each name', () => {
  test('fields are those of any row, lists take an entry a row, and empty cells leave out what they fill', () => {
    const { names, specs, said } = made(
      `${HEAD}spec:
  description: "Of \${var.plant}"
  website: \${row.Web}
  addresses:
    - { label: "\${row.Place}", address1: "\${row.Street} \${row.No}", country: Austria, primary: "\${row.Main}" }
  phoneNumbers: [{ number: "0", label: Central }, { number: "\${row.Phone}" }]
`,
      table([
        'name|Web|Place|Street|No|Main|Phone',
        ' Alpha |a.example|HQ|Mill Lane||TRUE|1',
        'Alpha||Dock||7|false|1',
        'Beta||||||2',
      ]),
      { plant: 'Graz' },
    );
    expect([said, names]).toEqual([[], ['Alpha', 'Beta']]);
    expect(specs).toEqual([
      {
        description: 'Of Graz',
        website: 'a.example',
        addresses: [
          { label: 'HQ', address1: 'Mill Lane', country: 'Austria', primary: true },
          { label: 'Dock', address1: '7', country: 'Austria', primary: false },
        ],
        phoneNumbers: [{ number: '0', label: 'Central' }, { number: '1' }],
      },
      { description: 'Of Graz', addresses: [], phoneNumbers: [{ number: '0', label: 'Central' }, { number: '2' }] },
    ]);
  });

  test('members of a group, of one name, each once; a spec of empty cells alone is none', () => {
    const text = HEAD.replace('Supplier', 'UserGroup').replace('"${row.Name}"', 'Quality');
    const members = made(`${text}spec: { members: ["\${row.Who}"] }`, table(['Who', 'ann', 'ben', 'ann', '']));
    expect([members.names, members.specs]).toEqual([['Quality'], [{ members: ['ann', 'ben'] }]]);
    const none = made(`${text}spec: { description: "\${row.Who}" }`, table(['Who', '']));
    expect([none.said, none.specs]).toEqual([[], [undefined]]);
  });

  test('a cell has the type of its field: numbers, true and false; all other texts stay as they are', () => {
    const { specs } = made(
      'kind: NumberReservation\nforEach: { file: s.csv }\nmetadata: { name: "${row.Name}", protect: "${row.Safe}" }\nspec: { category: "${row.Category}", quantity: "${row.Count}" }',
      table(['Name|Safe|Category|Count', '1|true|5|5', '2|no|true|five', '3||-1|1.5']),
    );
    expect(specs).toEqual([
      { category: '5', quantity: 5 },
      { category: 'true', quantity: 'five' },
      { category: '-1', quantity: 1.5 },
    ]);
  });

  test('entries with one key are one entry; those that lack their key stay apart, for the schema to refuse', () => {
    const text = `${HEAD}spec: { addresses: [{ label: "\${row.Place}", city: "\${row.City}", state: "\${row.State}" }] }`;
    const rows = table(['Name|Place|City|State', 'A|HQ|Graz|', 'A|HQ||Styria', 'A||Linz|', 'A||Wels|']);
    expect(made(text, rows).specs).toEqual([
      { addresses: [{ label: 'HQ', city: 'Graz', state: 'Styria' }, { city: 'Linz' }, { city: 'Wels' }] },
    ]);
  });
});

describe('each value says from which rows and columns it comes', () => {
  const text = `${HEAD}spec:
  website: "\${row.Web}"
  description: "\${row.Web} \${row.Phone}"
  phoneNumbers: [{ number: "\${row.Phone}", label: Sales }]
`;
  const rows = table(['Name|Web|Phone', 'A||1', 'A|w|2', 'A||3', 'A||4', 'A||5']);

  test('a field that of its cell, a list those of all, an object too', () => {
    const [document] = made(text.replace(' ${row.Phone}"', '"'), rows).documents;
    const at = (pointer: string) => document?.origins.value(pointer);
    expect(at('/spec/website')).toEqual({
      ...{ file: 'm.yaml', line: 5, column: 12, layer: 'base' },
      row: 's.csv, row 3, column "Web"',
    });
    expect(at('/spec/phoneNumbers/1/number')).toMatchObject({ line: 7, row: 's.csv, row 3, column "Phone"' });
    expect(at('/spec/phoneNumbers/1/label')?.row).toBe('s.csv, row 3');
    expect(document?.origins.key('/spec/phoneNumbers/2/extension')).toMatchObject({ line: 7, row: 's.csv, row 4' });
    expect(at('/spec/phoneNumbers')?.row).toBe('s.csv, rows 2, 3, 4 and 2 more');
    expect(document?.origins.start.row).toBe('s.csv, rows 2, 3, 4 and 2 more');
  });

  test('a text of several cells names their columns, and the rows of one object that differ by few', () => {
    const [document] = made(text, table(['Name|Web|Phone', 'A|w|1', 'B|w|2', 'A|w|1'])).documents;
    expect(document?.origins.value('/spec/description').row).toBe('s.csv, row 2, columns "Web" and "Phone"');
    expect(document?.origins.start).toMatchObject({ line: 1, row: 's.csv, rows 2 and 4' });
  });

  test('a variable in the source counts as one in every cell, and so differs between environments', () => {
    const { documents, said } = made(text.replace('s.csv', '"${var.site}.csv"').replace(' ${row.Phone}"', '"'), rows, {
      site: 'graz',
    });
    expect(said).toEqual([]);
    const { value, filledBy } = (documents[0] as Document).origins;
    for (const by of [filledBy, (pointer: string) => value(pointer).filledBy]) {
      expect(by('/spec/website')).toBe('${var.site} of dev');
      expect(by('/spec/phoneNumbers/0/label')).toBeUndefined();
    }
  });
});

describe('what is wrong with a list is reported where the manifest uses it', () => {
  const spec = 'spec: { website: "${row.Web}", phoneNumbers: [{ number: "${row.Phone}" }] }';
  const cases: [what: string, text: string, list: RowTable, said: unknown[]][] = [
    [
      'two rows that contradict each other, at both cells',
      HEAD + spec,
      table(['Name|Web|Phone', 'A|one|', 'A||', 'B|two|', 'A|two|']),
      [
        '4:18 rows-contradict | Supplier/A has two values for "website": "one" (s.csv, row 2, column "Web") and "two" (s.csv, row 5, column "Web"). | Correct one of the cells, or leave it empty: the rows of one object must agree where they say something.',
      ],
    ],
    [
      'a column that is not there, once',
      HEAD + spec.replace('row.Web', 'row.Webb').replace('row.Phone', 'row.Telephone number'),
      table(['Name|Web|Phone|', 'A|one|', 'B|two|']),
      [
        '4:18 row-column | s.csv has no column "Webb". | Did you mean "Web"?',
        '4:58 row-column | s.csv has no column "Telephone number". | Known: "Name", "Web", "Phone".',
      ],
    ],
    [
      'a column of a wide list',
      HEAD.replace('row.Name', 'row.Title of it'),
      table([Array.from({ length: 13 }, (_, index) => `C${index}`).join('|')]),
      [
        '3:19 row-column | s.csv has no column "Title of it". | Its columns are "C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12".',
        expect.stringContaining('rows-none'),
      ],
    ],
    [
      'a column that is there twice',
      HEAD,
      table(['Name|Name', 'A|B']),
      ['3:19 row-column | s.csv has several columns "Name". | Write "Name#1", "Name#2" and so on.'],
    ],
    [
      'rows without a name, each, beside what contradicts itself',
      HEAD + spec,
      table(['Name|Web|Phone', '|one|', 'A|one|', 'A|two|', ' |one|']),
      [
        expect.stringContaining('3:19 row-unnamed | A row has no name: "Name" is empty. | Fill the cell, leave'),
        expect.stringContaining('3:19 row-unnamed'),
        expect.stringContaining('4:18 rows-contradict'),
      ],
    ],
    [
      'a list without rows',
      HEAD,
      table(['Name']),
      [expect.stringContaining('2:18 rows-none | s.csv has no rows, so the manifest describes nothing. | Check')],
    ],
    [
      'a job',
      HEAD.replace('Supplier', 'Import'),
      table(['Name', 'A']),
      [
        '1:7 for-each-job | `forEach` makes objects of rows, and an Import creates no object. | An Import reads its rows itself: name the file in `spec.source`.',
      ],
    ],
    [
      'more objects than a workspace has',
      HEAD,
      table(['Name', ...Array.from({ length: 10_001 }, (_, index) => `N${index}`)]),
      ['2:10 for-each | `forEach` describes 10001 objects; at most 10000 are allowed. | '],
    ],
    [
      'an item, which rows do not have',
      `${HEAD}spec: { website: "\${each.value}" }`,
      table(['Name', 'A']),
      ['4:18 each-outside | "${each.value}" has no value in a manifest of rows. | Write `${row.COLUMN}` for a cell.'],
    ],
    [
      'an option that sources do not have, and a variable that is not there',
      `${HEAD.replace('s.csv', 's.csv, hierarchy: {}')}---\n${HEAD.replace('s.csv', '"${var.x}"')}`,
      table(['Name', 'A']),
      [
        expect.stringContaining('2:25 field-unknown | `forEach` has no field "hierarchy".'),
        expect.stringContaining('6:18 variable-unknown | There is no variable "x".'),
      ],
    ],
  ];
  test.each(cases)('%s', (_, text, list, said) => {
    expect(made(text, list)).toMatchObject({ said, documents: [] });
  });

  test('cells that cannot be trusted, if the manifest uses them; of a short row the first', () => {
    const fault = (code: string, index: number): CellFault => ({ code, index, says: 'is odd', hint: 'Mend it.' });
    const { said } = made(
      HEAD + spec,
      table(['Name|Web|Phone|Unused', 'A|one', 'B|#REF!|1|', 'C|two|2|#REF!', 'D|three|3|4'], {
        2: [fault('row-short', 2)],
        3: [fault('cell-error', 1), fault('cell-error', 3)],
        4: [fault('cell-error', 3), { code: 'cell-error', index: 0, says: 'is odd' }],
      }),
    );
    expect(said).toEqual([
      '4:57 row-short | The cell in column "Phone" is odd. | Mend it.',
      '4:18 cell-error | The cell in column "Web" is odd. | Mend it.',
      '3:19 cell-error | The cell in column "Name" is odd. | ',
    ]);
  });

  test('a cell outside of a manifest of rows, and a list that could not be read', () => {
    const { documents } = parseYaml(`a: "\${row.Name}"\n---\n${HEAD}`, 'm.yaml');
    const unread = { tableOf: () => undefined, catalog: builtIn };
    expect(interpolate(documents, {}, undefined, unread)).toEqual(interpolate(documents, {}));
    const { diagnostics, documents: none } = interpolate(documents, {});
    expect([none, diagnostics.map(({ code, hint }) => [code, hint])]).toEqual([
      [],
      [['row-outside', 'Add `forEach: { file: FILE }` beside `kind:`; each row of the file is then read.']],
    ]);
  });

  test('a manifest that has nothing but a name, and a row without it', () => {
    const { said } = made('forEach: { file: s.csv }\nmetadata: { name: "${row.Name}" }', table(['Name', '']));
    expect(said).toEqual([expect.stringContaining('2:19 row-unnamed')]);
  });

  test('a word that the field does not have names those that it has', () => {
    const { documents } = made(
      `apiVersion: dexsync/v1\n${HEAD}spec: { approvalStatus: "\${row.Status}" }`,
      table(['Name|Status', 'A|Aproved', 'B|approved']),
    );
    expect(validateManifests(documents, builtIn).diagnostics).toMatchObject([
      {
        message:
          'Supplier/A has an invalid value in "approvalStatus": expected approved, unrated or disapproved, got "Aproved".',
        hint: 'Did you mean "approved"?',
        origin: { line: 5, row: 's.csv, row 2, column "Status"' },
      },
    ]);
  });

  test('a template without a name of its own makes one manifest, which the schema refuses', () => {
    const { documents } = made('kind: Supplier\nforEach: { file: s.csv }\nspec: {}', table(['Name', 'A', 'B']));
    expect(validateManifests(documents, builtIn).diagnostics.map(({ code }) => code)).toContain('field-missing');
  });
});

test('the lists to read are those that manifests name, with variables filled in and without mistakes', () => {
  const text = [
    'kind: A\nforEach: { file: "${var.site}.csv", worksheet: X }\n',
    'kind: A\nforEach: { file: "${var.none}.csv" }\n',
    'kind: A\nforEach: { file: a.csv, oops: 1 }\n',
    'kind: A\nforEach: [a]\n',
    'kind: A\nforEach: { file: { a: 1 } }\n',
    '3\n',
  ].join('---\n');
  const places: ListPlace[] = listPlaces(parseYaml(text, 'm.yaml').documents, { site: 'graz' });
  expect(places.map(({ source, origins }) => [source, origins.start.line])).toEqual([
    [{ file: 'graz.csv', worksheet: 'X' }, 1],
  ]);
});

test('a finding that many rows have at one place is shown twenty times, then counted', () => {
  const place = { file: 'm.yaml', line: 4, column: 2, layer: 'base' };
  const finding = (row: number | undefined, line = 4) => ({
    ...{ severity: 'error' as const, code: 'value-invalid', message: `row ${row}` },
    origin: { ...place, line, ...(row === undefined ? {} : { row: `s.csv, row ${row}` }) },
  });
  const rows = Array.from({ length: 22 }, (_, row) => finding(row));
  const others = [
    finding(undefined),
    finding(undefined),
    { severity: 'error' as const, code: 'x', message: 'no place' },
  ];
  const messages = limitRepeats([...rows, ...others, finding(1, 5)]).map(({ message }) => message);
  expect(messages).toHaveLength(20 + 1 + 3 + 1);
  expect(messages.filter((one) => one.includes('more'))).toEqual([
    '2 more findings of this kind at this place, in other rows.',
  ]);
  expect(limitRepeats(rows.slice(0, 21)).map(({ message }) => message)).toContain(
    '1 more finding of this kind at this place, in other rows.',
  );
});
