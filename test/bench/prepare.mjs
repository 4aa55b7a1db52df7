import { mkdir, rm } from 'node:fs/promises';
import { prepareImport } from '../../dist/data/bulk/prepare.js';

// Prepares an import as dexsync does before it sends anything, and prints what it took. No sizes of files are known to it.
const { path, file, definition, folder, rows } = JSON.parse(process.argv[2]);
await mkdir(folder, { recursive: true });
const begin = performance.now();
const prepared = await prepareImport({ path, source: { file }, definition, folder });
const milliseconds = performance.now() - begin;
const { kept, ...counts } = prepared.findings;
if (prepared.rows !== rows) throw new Error(`${prepared.rows} of ${rows} rows were read.`);
if (kept.length > 0) throw new Error(JSON.stringify([counts, kept[0]]));
process.stdout.write(`${JSON.stringify({ milliseconds, kilobytes: process.resourceUsage().maxRSS })}\n`);
await rm(folder, { recursive: true });
