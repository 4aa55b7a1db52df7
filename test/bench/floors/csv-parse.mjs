import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

const { path, rows } = JSON.parse(process.argv[2]);
const begin = performance.now();
const parser = createReadStream(path).pipe(parse());
let records = -1;
parser.on('readable', () => {
  while (parser.read() !== null) records += 1;
});
await new Promise((done, fail) => parser.on('end', done).on('error', fail));
if (records !== rows) throw new Error(`${records} of ${rows} rows were read.`);
process.stdout.write(`${JSON.stringify({ milliseconds: performance.now() - begin })}\n`);
