import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareRows } from '../../dist/data/bulk/compare/compare-rows.js';
import { goneRows } from '../../dist/data/bulk/compare/gone-rows.js';
import { prepareImport } from '../../dist/data/bulk/prepare.js';
import { openChanges } from '../../dist/data/imports/preview/changes-file.js';
import { rowsAsRecords } from '../../dist/data/imports/preview/last-import.js';

// Compares two tables as a plan does, and prints the milliseconds that it took.
const { before, after, folder, expected } = JSON.parse(process.argv[2]);
const apiNames = ['number', 'name', 'description', 'uom', 'standardCost'];
const mapping = apiNames.map((apiName) => ({ resource: 'ITEM_SPECS', apiName, sourceName: apiName }));
const definition = { resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: { mapping } };
const prepare = (path, name) =>
  prepareImport({ path, source: { file: path }, definition, folder: join(folder, name), keepFindings: 0 });
await mkdir(folder, { recursive: true });
const begin = performance.now();
const last = await prepare(before, 'before');
const prepared = await prepare(after, 'after');
const records = await rowsAsRecords([{ prepared: last, failed: new Set(), at: '' }], prepared, definition, folder);
const changes = await openChanges(join(folder, 'changes.ndjson'), 100);
const { signal } = new AbortController();
const { counts } = await compareRows({ prepared, definition, records, signal }, changes.add);
let gone = 0;
for await (const change of goneRows({ prepared, definition, last: records })) {
  gone += 1;
  await changes.add(change);
}
await changes.finish();
records.close();
const milliseconds = performance.now() - begin;
const found = { changed: counts.changed, new: counts.new, gone };
if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
process.stdout.write(String(milliseconds));
await rm(folder, { recursive: true });
