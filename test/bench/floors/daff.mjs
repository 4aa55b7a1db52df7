import { readFile } from 'node:fs/promises';
import daff from 'daff';

// Compares two CSV files by their first column, and prints the milliseconds that it took.
const { before, after, expected } = JSON.parse(process.argv[2]);
const begin = performance.now();
const [one, other] = await Promise.all(
  [before, after].map(async (path) => {
    const table = new daff.TableView([]);
    new daff.Csv().parseTable(await readFile(path, 'utf8'), table);
    return table;
  }),
);
const flags = new daff.CompareFlags();
flags.addPrimaryKey('number');
flags.unchanged_context = 0;
const diff = new daff.TableDiff(daff.compareTables(one, other, flags).align(), flags);
const out = new daff.TableView([]);
diff.hilite(out);
const milliseconds = performance.now() - begin;
const { row_updates, row_inserts, row_deletes } = diff.getSummary();
const found = { changed: row_updates, new: row_inserts, gone: row_deletes };
if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
process.stdout.write(String(milliseconds));
