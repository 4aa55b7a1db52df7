import { openSource } from '../../../dist/data/bulk/source/open-source.js';

const { path, file, rows } = JSON.parse(process.argv[2]);
const begin = performance.now();
const table = await openSource(path, { file });
let read = 0;
for await (const rows of table.batches) read += rows.length;
if (read !== rows) throw new Error(`${read} of ${rows} rows were read.`);
process.stdout.write(`${JSON.stringify({ milliseconds: performance.now() - begin })}\n`);
