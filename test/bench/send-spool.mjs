import { stat } from 'node:fs/promises';
import { uploadOf } from '../../dist/data/imports/run/upload.js';
import { openClient } from '../../dist/service/client.js';
import { openImportRuns } from '../../dist/service/import-runs.js';
import { reference } from '../../dist/service/profiles/reference.js';

// Posts a spool as dexsync does, and prints the milliseconds from the request to its answer.
const { url, path } = JSON.parse(process.argv[2]);
const client = openClient({
  profile: reference,
  login: { url, email: 'ann@example.com', password: async () => 'a password' },
  usageReason: 'dexsync/bench',
  userAgent: 'dexsync/bench',
  signal: new AbortController().signal,
  clock: Date.now,
});
await client.workspace();
const { size } = await stat(path);
const upload = uploadOf({ path, fileName: 'rows.csv', headerBytes: 0 }, { start: 0, end: size }, () => undefined);
const begin = performance.now();
const run = await openImportRuns(client, 'A1B2C3D4E5F6G7H8I9J0').post(upload);
const milliseconds = performance.now() - begin;
if (run.totalCount < size) throw new Error(`Of ${size} bytes ${run.totalCount} came.`);
process.stdout.write(`${milliseconds}\n`);
await client.close();
