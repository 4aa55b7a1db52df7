import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { CommitRule } from '#core/jobs/import.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { fileChunks } from '#data/bulk/rows/file-chunks.js';
import { openClient } from '#service/client.js';
import { type ImportRun, type ImportRuns, openImportRuns } from '#service/import-runs.js';
import { reference } from '#service/profiles/reference.js';
import { definitionOf, fileOf, prepare, workbookOf } from '../data/bulk/support.js';
import { runImport } from '../data/imports/scripted-runs.js';
import { openHosted } from '../harness/hosted-workspace.js';
import { type Answer, formOf, Session } from '../harness/session.js';

/** The port over plain fetch: what the bulk pipeline needs of a service, without our client. */
function runsOver(session: Session, definition: string): ImportRuns {
  const run = ({ body, status, text }: Answer): ImportRun => {
    if (status >= 300) throw new Error(text);
    return { ...body, warnings: body.warnings?.results ?? [] };
  };
  return {
    async post(upload) {
      const chunks: Buffer[] = [];
      for await (const chunk of upload.open()) chunks.push(Buffer.from(chunk));
      const content = new Blob([new Uint8Array(Buffer.concat(chunks))]);
      expect(content.size).toBe(upload.size);
      const fields = { commit: 'false', submitFileType: upload.fileType };
      return run(await session.send('POST', `${definition}/runs`, formOf(content, fields)));
    },
    read: async (guid) => run(await session.send('GET', `${definition}/runs/${guid}`)),
    submitContent: async (guid) =>
      Readable.from([(await session.send('GET', `${definition}/runs/${guid}/submitContent`)).text]),
    errorContent: async (guid) =>
      Readable.from([(await session.send('GET', `${definition}/runs/${guid}/errorContent`)).text]),
    commit: async (guid) => run(await session.send('PUT', `${definition}/runs/${guid}`, { commit: true })),
  };
}

async function openSession(): Promise<Session> {
  const ready = await openHosted();
  onTestFinished(async () => void (await ready.stop()));
  return Session.open(ready);
}

async function load(
  session: Session,
  spec: ImportDefinitionSpec,
  prepared: PreparedImport,
  rule: CommitRule,
): Promise<ImportOutcome> {
  const definition = await session.define(spec.resource, spec.mode, spec.options);
  const nothing = async (): Promise<void> => {};
  return runImport({
    prepared,
    definition,
    runsOf: (guid) => runsOver(session, guid),
    rule,
    recorder: { open: nothing, settled: nothing },
    emit: () => {},
    signal: new AbortController().signal,
    sleep: (milliseconds) => wait(Math.min(milliseconds, 50)),
  });
}

const SPECS = definitionOf('ITEM_SPECS', 'CREATE', { number: 'Part Number', name: 'Description' });
const BOM = definitionOf('ITEM_BOM', 'CREATE', { number: 'Assembly', 'item.number': 'Part Number', quantity: 'Qty' });

test('a workbook of items and then their BOM are loaded, and read back as the file has them', async () => {
  const session = await openSession();
  const path = await workbookOf(
    {
      Parts: [
        ['Part Number', 'Description', 'Qty'],
        ['0042', 'Größe "M"', 2],
        ['970e07', 'two\nlines', 1.5],
      ],
    },
    {},
  );
  const top = await fileOf('top.csv', 'Part Number,Description\nASM-1,Assembly\n');
  const items = definitionOf('ITEM_SPECS', 'CREATE', {
    number: 'Part Number',
    name: 'Part Number',
    description: 'Description',
  });
  expect(await load(session, SPECS, await prepare(top, SPECS), 'clean')).toMatchObject({
    outcome: 'committed',
    succeeded: 1,
  });
  const specs = await load(session, items, await prepare(path, items), 'clean');
  expect(specs).toMatchObject({ outcome: 'committed', rows: 2, succeeded: 2, failed: 0 });
  const lines = await load(session, BOM, await prepare(path, BOM, { constants: { Assembly: 'ASM-1' } }), 'clean');
  expect(lines).toMatchObject({ outcome: 'committed', rows: 2, succeeded: 2, findings: [] });
  const [first] = await session.items('0042');
  expect([first.number, first.description]).toEqual(['0042', 'Größe "M"']);
  const bom = await session.bom('ASM-1');
  expect(bom.map(({ item, quantity }) => [item.number, quantity])).toEqual([
    ['0042', 2],
    ['970e07', 1.5],
  ]);
});

test('a workbook is uploaded unchanged, and the service reads the named worksheet (interface 4.2)', async () => {
  const ready = await openHosted();
  onTestFinished(async () => void (await ready.stop()));
  const path = await workbookOf({
    Notes: [['nothing', 'of value']],
    Parts: [
      ['Part Number', 'Description'],
      ['0042', 'Größe "M"'],
      ['970e07', 'two words'],
    ],
  });
  const { url, email, password } = ready;
  const client = openClient({
    profile: reference,
    login: { url, email, password: async () => password },
    usageReason: 'test/1',
    userAgent: 'test/1',
    signal: new AbortController().signal,
    clock: Date.now,
  });
  onTestFinished(() => client.close());
  const body = { json: { name: 'Book', resource: 'ITEM_SPECS', mode: 'CREATE', options: SPECS.options } };
  const { guid } = await client.write('POST', '/imports', body);
  const { size } = await stat(path);
  const workbook = { fileName: 'Stück "1".xlsx', fileType: 'EXCEL_WORKSHEET', size } as const;
  const runs = openImportRuns(client, String(guid));
  const ended = async (worksheetName: string) => {
    let run = await runs.post({ ...workbook, worksheetName, open: () => fileChunks(path, [{ start: 0, end: size }]) });
    while (run.status === 'CREATED' || run.status === 'RUNNING') run = await runs.read(run.guid);
    return run;
  };
  const run = await ended('Parts');
  expect(run).toMatchObject({ status: 'COMPLETE', commit: false, totalCount: 2, successCount: 2 });
  expect(await buffer(await runs.submitContent(run.guid))).toEqual(await readFile(path));
  expect(await ended('Absent')).toMatchObject({ status: 'ERROR', warnings: [{ code: 3523 }] });
});

test('failed rows lead to their cells in the file; clean commits nothing, and always commits the rest', async () => {
  const session = await openSession();
  const path = await fileOf(
    'faulty.csv',
    'Title\n\nNote,Description,Part Number\n"x\ny",one,A-1\n\n,,A-2\n,three,A-3\n,again,A-1\n',
  );
  const prepared = await prepare(path, SPECS, { headerRow: 3 });
  const rejected = await load(session, SPECS, prepared, 'clean');
  expect(rejected).toMatchObject({
    outcome: 'rejected',
    rows: 4,
    failed: 2,
    reason: '2 of 4 rows failed, but `commit: clean` allows none.',
  });
  expect(
    rejected.errors.kept.map(({ row, key, column, value, certainty }) => [row, key, column, value, certainty]),
  ).toEqual([
    [7, 'A-2', 'Description', '', 'certain'],
    [9, 'A-1', 'Part Number', 'A-1', 'certain'],
  ]);
  expect(await session.items('A-*')).toEqual([]);
  const committed = await load(session, SPECS, prepared, 'always');
  expect(committed).toMatchObject({ outcome: 'committed', succeeded: 2, failed: 2 });
  expect((await session.items('A-*')).map(({ number }) => number)).toEqual(['A-1', 'A-3']);
});

test('a preflight error is refused by the service in each mode, or accepted with a loss', async () => {
  const session = await openSession();
  const path = await fileOf('rows.csv', 'Part Number,Description\nB-1,one\nB-2,\n,three\nB-1,four\n');
  for (const mode of ['CREATE', 'OVERWRITE', 'EDIT', 'DELETE']) {
    const spec = { ...SPECS, mode };
    const prepared = await prepare(path, spec);
    const outcome = await load(session, spec, prepared, 'never');
    const refused = new Set(outcome.errors.kept.map(({ row }) => row));
    const certain = prepared.findings.kept.filter(({ severity }) => severity === 'error');
    const taken = certain.filter(({ row }) => !refused.has(row)).map(({ row, code }) => [row, code]);
    expect([mode, taken]).toEqual([mode, mode === 'OVERWRITE' ? [[5, 'key-overwritten']] : []]);
  }
});
