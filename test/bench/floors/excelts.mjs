import { WorkbookReader } from '@cj-tech-master/excelts';

const { path, rows } = JSON.parse(process.argv[2]);
const begin = performance.now();
const reader = new WorkbookReader(path, {
  worksheets: 'emit',
  sharedStrings: 'cache',
  styles: 'cache',
  hyperlinks: 'ignore',
});
let read = -1;
for await (const sheet of reader) for await (const _ of sheet) read += 1;
if (read !== rows) throw new Error(`${read} of ${rows} rows were read.`);
process.stdout.write(`${JSON.stringify({ milliseconds: performance.now() - begin })}\n`);
