import { expect, test } from 'vitest';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { projectFiles } from '#data/bulk/inspect/project-files.js';
import { fileOf, temporaryFolder } from '../support.js';
import { linesOf } from './proposed.js';

const LINES = 'Part Number,Description,Qty\nR-10K,Resistor 10k,4\nC-1U,Capacitor 1u,2\n';

async function inspected(above: string, lines = LINES) {
  const path = await fileOf('export-3.csv', `${above}${lines}`);
  const given = { path, file: 'export-3.csv' };
  const { inspection, proposed } = await inspectTable(given, { file: given.file }, new AbortController().signal);
  return { path, proposed, proposal: inspection.proposal };
}

/** The number and the name of the item that the lines belong to. */
async function assemblyOf(above: string, lines = LINES): Promise<readonly (string | undefined)[]> {
  const { path, proposed, proposal } = await inspected(above, lines);
  const parents = (await linesOf(path, proposal.manifests, 'ITEM_BOM')).map(({ number }) => number);
  expect(new Set(parents)).toEqual(new Set([proposal.assembly]));
  return [proposal.assembly, proposed.title?.name];
}

test.each([
  ['Assembly: KIT-0455\nDate: 2024-05-01\n\n', ['KIT-0455', undefined]],
  ['Baugruppe:,4711-0000,,Hubtisch\nDatum,01.05.2024\n\n', ['4711-0000', 'Hubtisch']],
  ['Assembly Number,Description,Rev\n100-200,Pump,B\n\n', ['100-200', 'Pump']],
  ['Title,Sensor kit\nPart Number:,KIT-0455,Rev:,C\n\n', ['KIT-0455', 'Sensor kit']],
  ['Bill of Materials\nProduct: AX-20 - Amplifier, Rev. B\n\n', ['AX-20', 'Amplifier']],
  ['Stückliste 4711-0000 Hubtisch\n\n', ['4711-0000', 'Hubtisch']],
  ['Material,4711-0000\nPlant,1000\nBezeichnung,Hubtisch\n\n', ['4711-0000', 'Hubtisch']],
  ['Assembly No:,ASY-1,,Title:,"Sensor head, pressure, 0-10 bar"\n\n', ['ASY-1', 'Sensor head, pressure, 0-10 bar']],
  ['Bill Of Materials for CTRL_MAIN_R3.sch on Tue Apr 08 09:41:20 2025\n\n', ['CTRL_MAIN_R3', undefined]],
  ['PS-1042  Revision: B\n\n', ['PS-1042', undefined]],
  ['Zeichnung:,5510-00\n\n', ['5510-00', undefined]],
  [
    '"Source:","A:\\\\Lamps\\\\desk lamp.kicad_sch"\nDate:,2024-05-01\nTool:,Eeschema 8.0.5\n\n',
    ['desk lamp', undefined],
  ],
  ['Partlist exported from C:/eagle/lamp/Night light.sch at 10/23/2013 12:25:12 PM\n\n', ['Night light', undefined]],
  ['700-1142-02   Revision: C\n\nBill Of Materials,,,,"March 4,2025",,Page1\n\n', ['700-1142-02', undefined]],
  ['Gruppo:,GR-0815,,Denominazione:,Testa di riempimento\n\n', ['GR-0815', 'Testa di riempimento']],
  ['产品编码:,PCBA-TC200-01,,版本:,V1.2\n\n', ['PCBA-TC200-01', undefined]],
  ['図番,KB-2045-01,品名,電源基板\n\n', ['KB-2045-01', '電源基板']],
  ['Product: X1000\nAssembly: Main board PCA-77\nPCBA No.: PCA-77\n\n', ['PCA-77', 'Main board PCA-77']],
  [
    'Bill of Materials\nSource Data From:,Feeder.PrjPcb\nProject:,Feeder.PrjPcb\nVariant:,None\n\n',
    ['Feeder', undefined],
  ],
  ['Assembly: Sensor kit\n\n', ['Sensor kit', undefined]],
  ['Stückliste Hubtisch\n\n', ['Hubtisch', undefined]],
  ['Pump station - Bill of Materials\n\n', ['Pump station', undefined]],
  ['Parts list for the main board\n\n', ['main board', undefined]],
])('cells above the header name the assembly: %j', async (above, expected) => {
  expect(await assemblyOf(above)).toEqual(expected);
});

test.each([
  'Date: 2024-05-01\nBOM 2024\n\n',
  'Bill of Materials by Ann Example\n\n',
  'BOM Example Electronics GmbH\n\n',
  'Project: <not found>\n\n',
  'Project: Feeder\nProject: Mixer\n\n',
  'Ann Example\nBill of Materials\n\n',
  'Bill of Materials - May 4, 2024\n\n',
  'BOM Rev 3\nBOM 2024-05-01\nComponent Count: 42\n\n',
  'Assembly: KIT-1000\nAssembly: KIT-2000\n\n',
  '',
])('no cell above the header names an assembly for sure: %j', async (above) => {
  expect(await assemblyOf(above)).toEqual(['export-3', undefined]);
});

test('the list of the assembly has the number and the name of the cells, and nothing is left open about it', async () => {
  const { path, proposed, proposal } = await inspected('"Assembly: KIT-0455, Sensor kit"\n\n');
  expect(proposal.remarks).toContain(
    'The BOM belongs to the item "KIT-0455" of cell A1 ("Assembly: KIT-0455, Sensor kit"), which must exist; `--out DIR` also writes a list with it.',
  );
  const files = projectFiles(proposed, { folder: await temporaryFolder(), path, shown: 'export-3.csv' });
  const content = (ending: string): string =>
    files.map((one) => (one.file.endsWith(ending) && 'content' in one ? one.content : '')).join('');
  expect(content('-assembly.csv')).toBe('Item Number,Item Name\r\nKIT-0455,Sensor kit\r\n');
  expect(content('kit-0455.yaml')).not.toContain('Open: which item');
});

test('a title that has a word of the name of the file names the assembly', async () => {
  const path = await fileOf('pump-station-v2.csv', `PUMP STATION\nBILL OF MATERIALS\n\n${LINES}`);
  const place = { path, file: 'pump-station-v2.csv' };
  const { inspection } = await inspectTable(place, { file: place.file }, new AbortController().signal);
  expect(inspection.proposal).toMatchObject({ assembly: 'PUMP STATION', assemblyFrom: 'cell A1 ("PUMP STATION")' });
});

test('a title that only says what a list is does not name its assembly', async () => {
  const path = await fileOf('pump-partlist.csv', `Partlist\n\n${LINES}`);
  const place = { path, file: 'pump-partlist.csv' };
  const { inspection } = await inspectTable(place, { file: place.file }, new AbortController().signal);
  expect(inspection.proposal.assemblyFrom).toBe('file');
});

test('a title above the blocks of a list names its assembly', async () => {
  const block = 'Part Number,Description,Qty\n';
  const blocks = `Screws,,\n${block}S-1,Screw,4\nS-2,Nut,4\n,,\nPlates,,\n${block}P-1,Plate,1\nP-2,Lid,1\n`;
  expect((await inspected('Stückliste Hubtisch,,\n', blocks)).proposal.assembly).toBe('Hubtisch');
});

test('a person can give the number, and the name stays that of the cells', async () => {
  const path = await fileOf('export-3.csv', `Assembly:,KIT-0455,Sensor kit\n\n${LINES}`);
  const [place, { signal }] = [{ path, file: 'export-3.csv' }, new AbortController()];
  const { inspection, proposed } = await inspectTable(place, { file: place.file }, signal, { assembly: 'KIT-1' });
  expect(inspection.proposal).toMatchObject({ assembly: 'KIT-1', assemblyFrom: 'option' });
  expect(proposed.title?.name).toBe('Sensor kit');
});

test('columns that nothing reads are listed; those of sources are read', async () => {
  const lines =
    'Part Number,Description,Qty,Colour,Manufacturer,MPN\nR-10K,Res,4,red,Yageo,RC0402\nC-1U,Cap,2,,TDK,C100\n';
  expect((await inspected('', lines)).proposal.unmapped).toEqual(['Colour']);
});

test('values with labels are not a table that has to be read', async () => {
  const { proposal } = await inspected('Assembly:,KIT-0455\nRev:,B\nDate:,2024-05-01\nDrawn by,me\n\n');
  expect(proposal.text).not.toContain('is not read');
});

test('a row of the list that is the assembly wins over the cells above the header', async () => {
  const { proposal } = await inspected(
    'Assembly: KIT-0455\n\n',
    'Level,Part Number,Description,Qty\n0,KIT-9,Kit,1\n1,R-10K,Resistor,4\n1,C-1U,Capacitor,2\n',
  );
  expect(proposal.assembly).toBeUndefined();
});
