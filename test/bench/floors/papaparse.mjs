import { createReadStream } from 'node:fs';
import Papa from 'papaparse';

const { path, rows } = JSON.parse(process.argv[2]);
const begin = performance.now();
let records = -1;
await new Promise((done, fail) => {
  const chunk = ({ data, errors }) => {
    if (errors.length > 0) fail(new Error(errors[0].message));
    records += data.length;
  };
  Papa.parse(createReadStream(path), { skipEmptyLines: true, chunk, complete: done, error: fail });
});
if (records !== rows) throw new Error(`${records} of ${rows} rows were read.`);
process.stdout.write(`${JSON.stringify({ milliseconds: performance.now() - begin })}\n`);
