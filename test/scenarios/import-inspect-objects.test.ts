import { expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const SUPPLIERS = `Lieferanten-Nr.;Firma;Straße;Hausnr;PLZ;Ort;Land;Telefon;Fax;E-Mail;Status
70001;Müller GmbH;Hauptstr.;5;07017;Stuttgart;Deutschland;+49 711 1;+49 711 2;info@mueller.example;freigegeben
70002;Schmidt AG;Weg;1a;80331;München;Deutschland;+49 89 1;-;;gesperrt
70002;Schmidt AG;Allee;7;20095;Hamburg;Deutschland;+49 40 1;;;
70003;Neu & Co;;;;;;;;;
`;
const PEOPLE = 'Vorname;Nachname;E-Mail;Abteilung\nAnn;Quality;ann@example.com;Qualität\nBen;B;ben@example.com;\n';

/** What `inspect` writes for these lists, in the project of a workspace that others can read too. */
async function proposed(lists: Readonly<Record<string, string>>) {
  const workspace = await testWorkspace();
  const project = await testProject(lists);
  const run = (...args: string[]) => project.run(args, workspace.variables);
  for (const file of Object.keys(lists)) {
    const name = file.replace(/\.csv$/, '');
    const { code, out, err } = await run('import', 'inspect', file, '--out', `new-${name}`);
    expect([code, err], out).toEqual([0, '']);
    expect(out).toContain(`Next: run \`dexsync plan\` in new-${name}.`);
    for (const written of [`manifests/${name}.yaml`, `data/${file}`]) {
      await project.write(written, await project.read(`new-${name}/${written}`));
    }
  }
  return { workspace, project, run };
}

test('suppliers and groups of lists are proposed, validate, apply, and are done', async () => {
  const { workspace, run } = await proposed({ 'firmen.csv': SUPPLIERS, 'personen.csv': PEOPLE });
  expect(await run('validate')).toMatchObject({ code: 0, out: 'Valid: 4 manifests in 2 files.\n' });
  const applied = await run('apply', '--yes');
  expect([applied.code, applied.err], applied.out).toEqual([0, '']);
  const { results } = (await workspace.call('GET', '/suppliers')).body;
  const named = (name: string) => results.find((one: { name: string }) => one.name === name);
  expect([named('Müller GmbH'), named('Schmidt AG'), named('Neu & Co')]).toMatchObject([
    { supplierId: '70001', approvalStatus: 'approved' },
    { supplierId: '70002', approvalStatus: 'disapproved' },
    { supplierId: '70003', approvalStatus: 'unrated' },
  ]);
  const of = async (name: string, path: string) =>
    (await workspace.call('GET', `/suppliers/${named(name).guid}/${path}`)).body.results;
  expect((await of('Müller GmbH', 'phonenumbers')).map(({ label }: { label: string }) => label)).toEqual([
    'Office',
    'Fax',
  ]);
  const addresses = await of('Schmidt AG', 'addresses');
  expect(addresses.map(({ address }: { address: JsonLines }) => [address.label, address.address1])).toEqual([
    ['München', 'Weg 1a'],
    ['Hamburg', 'Allee 7'],
  ]);
  const groups = await workspace.pages('/settings/usergroups');
  expect(groups.map(({ name }) => name).sort()).toEqual(['Everyone', 'Qualität']);
  const again = await run('plan', '--detailed-exitcode');
  expect(again.code, again.out).toBe(0);
});

type JsonLines = Readonly<Record<string, string>>;

test('the screen, --json and --column say what is read in each column of a list of objects', async () => {
  const project = await testProject({ 'firmen.csv': SUPPLIERS });
  const shown = await project.run(['import', 'inspect', 'firmen.csv']);
  expect(shown.out).toMatch(/2 +Firma +supplier +100%/);
  expect(shown.out).toMatch(/4 +Hausnr +houseNumber/);
  expect(shown.out).toContain('kind: Supplier\nforEach:');
  const args = ['--column', 'E-Mail=website', '--column', 'Fax=none', '--json'];
  const { code, out } = await project.run(['import', 'inspect', 'firmen.csv', ...args]);
  const { columns, proposal } = JSON.parse(out);
  expect([code, columns[9].meaning, columns[8].meaning]).toEqual([0, 'website', undefined]);
  expect(proposal.manifests).toMatchObject([
    { kind: 'Supplier', spec: { website: '${row.E-Mail}', phoneNumbers: [{ number: '${row.Telefon}' }] } },
  ]);
});
