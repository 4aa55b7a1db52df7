import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '#core/model/json.js';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import type { GivenMeanings } from '#data/bulk/inspect/meanings.js';
import { fileOf, workbookOf } from '../support.js';

async function proposal(content: string, meanings: GivenMeanings = {}) {
  const path = await fileOf('list.csv', content);
  const options = { meanings };
  const { inspection } = await inspectTable(
    { path, file: 'list.csv' },
    { file: 'list.csv' },
    new AbortController().signal,
    options,
  );
  const { manifests, problems, text } = inspection.proposal;
  const read = Object.fromEntries(inspection.columns.map(({ name, meaning }) => [name, meaning]));
  const { forEach = {}, spec = {}, metadata = {} } = (manifests[0] ?? {}) as Readonly<Record<string, JsonObject>>;
  return { manifests, kinds: manifests.map(({ kind }) => kind), problems, text, forEach, spec, metadata, read };
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

describe('a list of suppliers becomes one manifest of rows', () => {
  test.each([
    ['English', 'Vendor,Account No,Web site,Street,Zip Code,City,Country,Phone', ','],
    ['German', 'Lieferant;Kundennummer;Webseite;Straße;PLZ;Ort;Land;Telefon', ';'],
    ['French', 'Fournisseur;Numéro de client;Site web;Rue;Code postal;Ville;Pays;Téléphone', ';'],
    ['Spanish', 'Proveedor;Número de cliente;Sitio web;Calle;Código postal;Ciudad;País;Teléfono', ';'],
    ['Polish', 'Dostawca;Numer klienta;Strona www;Ulica;Kod pocztowy;Miasto;Kraj;Numer telefonu', ';'],
    ['Dutch', 'Leverancier;Klantnummer;Website;Straat;Postcode;Plaats;Land;Telefoonnummer', ';'],
    ['Italian', 'Fornitore;Codice cliente;Sito web;Via;CAP;Città;Paese;Telefono', ';'],
  ])('with headers in %s', async (_, head, mark) => {
    const rows = ['Alpha,7,a.example,Mill 1,0101,Graz,AT,+43 1', 'Beta,,,Dock 2,0202,Linz,AT,+43 2'];
    const { kinds, problems, spec, metadata, text } = await proposal(
      lines(head, ...rows.map((row) => row.replaceAll(',', mark))),
    );
    const [name, account, web, street, zip, city, country, phone] = head
      .split(mark)
      .map((column) => `\${row.${column}}`);
    expect([kinds, problems], text).toEqual([['Supplier'], []]);
    expect([metadata, spec], text).toEqual([
      { name },
      {
        accountNumber: account,
        website: web,
        addresses: [{ label: 'Office', address1: street, city, postalCode: zip, country }],
        phoneNumbers: [{ number: phone, label: 'Office' }],
      },
    ]);
  });

  test('the label of an address is a column that says it, else one for all, else what two addresses differ in', async () => {
    const head = 'Supplier,Address type,Street,No,City';
    const named = await proposal(lines(head, 'A,Works,Mill,1,Graz', 'A,Depot,Dock,,Linz', 'B,Works,Hill,3,Wels'));
    expect(named.spec.addresses).toEqual([
      {
        label: '${row.Address type}',
        address1: '${row.Street} ${row.No}',
        city: '${row.City}',
      },
    ]);
    const partly = await proposal(lines(head, 'A,Works,Mill,1,Graz', 'A,Depot,Dock,,Linz', 'B,,Hill,3,Wels'));
    expect([partly.spec, partly.forEach.values]).toEqual([named.spec, { 'Address type': { '': 'Office' } }]);
    const bare = await proposal(lines(head, 'A,Works,Mill,1,Graz', 'A,Depot,Dock,,Linz', 'B,,Hill,3,Wels', 'C,,,,'));
    expect(bare.spec.addresses).toMatchObject([{ label: '${row.Address type} ${row.City}' }]);
    const labels = async (...rows: readonly string[]) => {
      const { spec, problems } = await proposal(lines('Supplier,Street,City', ...rows));
      return [(spec.addresses as JsonObject[])[0]?.label, problems];
    };
    expect(await labels('A,Mill,Graz', 'A,Mill,Graz', 'B,Dock,Linz')).toEqual(['Office', []]);
    expect(await labels('A,Mill,Graz', 'A,Dock,Linz')).toEqual(['${row.City}', []]);
    expect(await labels('A,Mill,Graz', 'A,Dock,Graz')).toEqual(['${row.Street}', []]);
    expect(await labels('A,Mill,Graz', 'A,Dock,Graz', 'B,Mill,Wels', 'B,Mill,Linz')).toEqual([
      '${row.City} ${row.Street}',
      [],
    ]);
    // An address without a city has no label of its own then.
    expect(await labels('A,Mill,Graz', 'A,Dock,', 'B,,Linz')).toEqual(['${row.City} ${row.Street}', []]);
  });

  test('words of approval and of yes and no become those of the service, or stay open with what to write', async () => {
    const head = 'Supplier,Status,Street,City,Main';
    const known = await proposal(
      lines(head, 'A,Freigegeben,M,G,Ja', 'A,,D,L,Nein', 'B,Gesperrt,H,W,Ja', 'C,unrated,,,'),
    );
    expect(known.forEach.values).toEqual({
      Status: { Freigegeben: 'approved', Gesperrt: 'disapproved' },
      Main: { Ja: true, Nein: false },
    });
    expect(known.spec).toMatchObject({ approvalStatus: '${row.Status}', addresses: [{ primary: '${row.Main}' }] });
    const marked = await proposal(lines(head, 'A,,M,G,x', 'A,,D,L,', 'B,,H,W,'));
    expect(marked.forEach.values).toEqual({ Main: { x: true, '': false } });
    const unknown = await proposal(lines(head, 'A,active,M,G,perhaps', 'B,approved,D,L,'));
    expect([unknown.problems, Object.keys(unknown.spec)]).toEqual([[], ['addresses']]);
    expect(unknown.text).toContain(
      '# approvalStatus: ${row.Status} # Left out: "active" may mean approved, unrated or disapproved; say it beside `file`, such as `values: { Status: { active: unrated, approved: approved } }`.',
    );
    expect(unknown.text).toContain('# Open: "Main" is left out: row 2 says "perhaps", which is neither yes nor no.');
    const twice = await proposal(lines(head, 'A,,M,G,yes', 'A,,D,L,yes'));
    expect([twice.problems, twice.text]).toEqual([
      [],
      expect.stringContaining('"A" has two primary addresses (rows 2, 3)'),
    ]);
  });

  test('each column of numbers has its label; a number that is in two columns is taken once', async () => {
    const head = 'Supplier,City,Street,Phone,Ext,Cell phone,Fax,Phone 2';
    const { spec } = await proposal(lines(head, 'A,G,M,1,12,2,3,4', 'B,L,D,5,,,,'));
    expect(spec.phoneNumbers).toEqual([
      { number: '${row.Phone}', extension: '${row.Ext}', label: 'Office' },
      { number: '${row.Phone 2}', label: 'Phone 2' },
      { number: '${row.Cell phone}', label: 'Mobile' },
      { number: '${row.Fax}', label: 'Fax' },
    ]);
    const same = await proposal(lines(head, 'A,G,M,1,,,1,'));
    expect([same.spec.phoneNumbers, same.problems]).toEqual([[{ number: '${row.Phone}', label: 'Office' }], []]);
    expect(same.text).toContain('# Open: "Fax" is left out: "A" has 1 in "Phone" too.');
  });

  test('contradictions are named and left out, rows without a name go to the one above, marks for nothing are empty', async () => {
    const head = 'Supplier,Website,Street,City,Phone,Contact';
    const { spec, text, problems, forEach } = await proposal(
      lines(head, 'A,a.example,M,G,1,Ann', 'A,b.example,M,G,1,', ',,D,L,2,', 'B,,,,-,', 'Total,,,,,'),
    );
    expect([problems, spec.website, forEach]).toMatchObject([
      [],
      undefined,
      { fillDown: ['Supplier'], values: { Phone: { '-': '' } } },
    ]);
    expect(text).toContain('# Open: "Website" is left out: rows 2 and 3 of "A" say "a.example" and "b.example".');
    expect(text).toContain('  # website: ${row.Website} # Left out: rows 2 and 3 of "A"');
    expect(text).toContain('  # No field for "Contact": 1 value such as "Ann".');
    // A supplier of which only the name is known is one.
    expect(text).not.toContain('Total');
    expect(forEach).not.toHaveProperty('where');
    const unknown = await proposal(lines(head, 'A,,M,G,1,', ',c.example,D,L,2,'));
    expect(unknown.forEach.where).toEqual({ Supplier: { not: '' } });
    expect(unknown.text).toContain('# Left out: 1 row without "Supplier".');
  });

  test('two spellings of a name are two suppliers, which is said', async () => {
    const { text, problems } = await proposal(lines('Supplier,Street,City', 'Acme,M,G', 'ACME,D,L'));
    expect([problems, text]).toEqual([[], expect.stringContaining('"Acme" and "ACME" in "Supplier" are two objects.')]);
  });

  test('a number under the header of the supplier belongs to the name beside it', async () => {
    const { metadata, spec } = await proposal(lines('Vendor,Name 1,Street,City', '1001,Acme,M,G', '1002,Beta,D,L'));
    expect([metadata, spec]).toMatchObject([{ name: '${row.Name 1}' }, { supplierId: '${row.Vendor}' }]);
  });
});

describe('a list of people becomes groups with members', () => {
  test.each([
    ['an e-mail address', 'Name,E-mail,Department', 'Ann,ann@example.com,Quality', '${row.E-mail}'],
    ['both names', 'Vorname,Nachname,Gruppe', 'Ann,Quality,Quality', '${row.Vorname} ${row.Nachname}'],
    ['a name beside the first name', 'Nom,Prénom,Service', 'Quality,Ann,Quality', '${row.Prénom} ${row.Nom}'],
  ])('by %s', async (_, head, row, member) => {
    const { kinds, problems, spec, forEach, text } = await proposal(lines(head, row, 'Ben,ben@example.com,'));
    expect([kinds, problems, spec], text).toEqual([['UserGroup'], [], { members: [member] }]);
    expect(forEach.where).toEqual({ [head.split(',')[2] ?? '']: { not: '' } });
  });

  test('a cell with several groups is a problem that says what to do; a person without an address is named', async () => {
    const head = 'E-mail,Team,Function';
    const { problems, text, forEach } = await proposal(
      lines(
        head,
        'ann@example.com,Purchasing; Quality,x',
        'ben@example.com,"Quality, Audit",',
        'cleo@example.com,Quality,',
        ',R&D/Test,',
      ),
    );
    expect(forEach.where).toEqual({ Team: { not: ['Purchasing; Quality', 'Quality, Audit'] } });
    expect(problems).toEqual([
      '2 rows with several groups in "Team" (such as "Purchasing; Quality") are left out, and these people would be removed from their groups. Give each person a row for each group, and inspect the file again.',
    ]);
    expect(text).toContain('# Open: row 5 has no "E-mail", so nobody there becomes a member.');
    expect(text).toContain('  # No field for "Function": 1 value such as "x".');
  });
});

test.each([
  [
    'a BOM with a supplier and its address',
    'Part Number,Description,Qty,Supplier,Phone,City\nP-1,Bolt,2,Acme,5,Boston\n',
  ],
  ['a list of parts with a supplier and its page', 'Name,Supplier,Website\nDrill,Acme,a.example\nSaw,Beta,b.example\n'],
  ['parts by maker', 'Manufacturer,MPN,Street,City\nAcme,X-1,Mill,Graz\n'],
  ['sources of parts', 'Item,Supplier,Supplier No,Phone,City\nBolt,Acme,X-1,5,Boston\n'],
  ['categories', 'Name,Group,Description\nBolt,Mechanics,a\nNut,Mechanics,b\n'],
])('%s stays a list of items', async (_, content) => {
  const { kinds } = await proposal(content);
  expect(new Set(kinds)).toEqual(new Set(['ImportDefinition', 'Import']));
});

test('people may say what a column means: of a list of objects, or that it is one of parts', async () => {
  const content = 'Firm name,Where,Str,Ph\nAcme,Boston,1 Main St,5\nBeta,Dayton,2 Oak Ave,6\n';
  expect((await proposal(content)).kinds).not.toContain('Supplier');
  const { kinds, read, spec } = await proposal(content, { 'Firm name': 'supplier', Where: 'city', Ph: 'phone' });
  expect([kinds, read]).toEqual([
    ['Supplier'],
    { 'Firm name': 'supplier', Where: 'city', Str: 'address1', Ph: 'phone' },
  ]);
  expect(spec).toMatchObject({ addresses: [{ city: '${row.Where}' }], phoneNumbers: [{ number: '${row.Ph}' }] });
  const suppliers = 'Supplier,City,Street\nAcme,Boston,1 Main St\n';
  expect((await proposal(suppliers, { Supplier: 'number' })).kinds).toEqual(['ImportDefinition', 'Import']);
  expect((await proposal(suppliers, { Street: 'none' })).kinds).not.toContain('Supplier');
});

test('a header that no reference can name, and an object that no manifest accepts, are a problem or left out', async () => {
  const braces = await proposal('Supplier,City,Street,{Fax}\nAcme,Boston,1 Main St,5\n');
  expect([braces.problems, braces.kinds]).toEqual([[], ['Supplier']]);
  const wrong = await proposal(`Supplier,City,Street\nAc\u200eme,Boston,1 Main St\n`);
  expect(wrong.problems).toEqual([expect.stringContaining('It comes from list.csv, row 2, column "Supplier".')]);
});

test('worksheets of suppliers, people and parts are proposed beside each other', async () => {
  const path = await workbookOf({
    Parts: [
      ['Part Number', 'Name', 'Material'],
      ...['A', 'B', 'C'].map((number) => [number, `Part ${number}`, 'steel']),
    ],
    Vendors: [
      ['Supplier', 'City', 'Street'],
      ['Acme', 'Boston', '1 Main St'],
      ['Beta', 'Dayton', '2 Oak Ave'],
    ],
  });
  const { inspection } = await inspectTable(
    { path, file: 'book.xlsx' },
    { file: 'book.xlsx' },
    new AbortController().signal,
  );
  const { manifests, problems, text } = inspection.proposal;
  expect([manifests.map(({ kind }) => kind), problems], text).toEqual([['ImportDefinition', 'Import', 'Supplier'], []]);
  expect(text).toContain('# From A1:C3 of worksheet "Vendors".');
  expect(parse(text.split('---\n').at(-1) ?? '')).toMatchObject({ forEach: { worksheet: 'Vendors' } });
});

test('a code beside the name of a supplier does not make it a list of parts', async () => {
  const { kinds } = await proposal(
    'Código;Proveedor;NIF;Dirección;País;Teléfono\nP0001;Aceros;A48;Pol. Arza 12;España;+34 945\nP0002;Bossard AG;;Steinstr. 70;Suiza;+41 41\n',
  );
  expect(kinds).toEqual(['Supplier']);
});

describe('a list of people with a column of marks for each group becomes a manifest for each group', () => {
  test('with the marked people as members', async () => {
    const { manifests } = await proposal(
      lines(
        'Name,Email,Active,Engineering,Quality',
        'Ann,ann@x.com,yes,x,',
        'Bob,bob@x.com,no,X,x',
        'Cy,cy@x.com,yes,,x',
      ),
    );
    expect(manifests).toEqual([
      {
        ...{ apiVersion: 'dexsync/v1', kind: 'UserGroup', metadata: { name: 'Engineering' } },
        forEach: { file: 'list.csv', where: { Engineering: ['x', 'X'] } },
        spec: { members: ['${row.Email}'] },
      },
      {
        ...{ apiVersion: 'dexsync/v1', kind: 'UserGroup', metadata: { name: 'Quality' } },
        forEach: { file: 'list.csv', where: { Quality: 'x' } },
        spec: { members: ['${row.Email}'] },
      },
    ]);
  });

  test('also beside a column of departments', async () => {
    const { manifests } = await proposal(
      lines('Name,E-mail,Department,Administrators,Engineering', 'Ann,a@x.com,R&D,X,', 'Bob,b@x.com,QA,X,X'),
    );
    expect(manifests.map(({ metadata }) => metadata)).toEqual([{ name: 'Administrators' }, { name: 'Engineering' }]);
  });

  test('but one column of marks, or a list of parts, does not', async () => {
    for (const content of [
      'Name,Email,Active,Quality\nAnn,ann@x.com,x,x\n',
      'Part Number,Email,A,B\nP-1,ann@x.com,x,x\n',
    ])
      expect((await proposal(content)).kinds).not.toContain('UserGroup');
  });
});
