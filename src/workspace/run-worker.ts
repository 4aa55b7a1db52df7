import { parentPort, workerData } from 'node:worker_threads';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { systemChance } from './rules/chance.js';
import { performRun, type RunSupport } from './rules/import/perform-run.js';
import type { RunWorkerData } from './run-queue.js';
import { definitionList, runList } from './store/imports.js';
import { openSettings } from './store/open.js';
import { RunFiles } from './store/run-files.js';
import { selectOne } from './store/select.js';

const PATIENCE_MS = 60_000;

const { file, runFolder, dialect } = workerData as RunWorkerData;
const support: RunSupport = {
  status: await openSettings(file, PATIENCE_MS),
  data: await openSettings(file, PATIENCE_MS),
  files: new RunFiles(runFolder),
  clock: () => new Date(),
  chance: systemChance,
  dialect: dialectNamed(dialect) ?? reference,
  log: (text) => void process.stderr.write(`${text}\n`),
};

let working = false;

parentPort?.on('message', work);
work();

/** Performs what is open, the oldest first; a message that comes meanwhile finds it in the database. */
async function work(): Promise<void> {
  if (working) return;
  working = true;
  while (await performNext());
  working = false;
}

async function performNext(): Promise<boolean> {
  const open = { ...runList, order: 'r.number' };
  const run = selectOne(support.status, open, { sql: "r.status IN ('CREATED', 'RUNNING')", values: [] });
  const definition = run && selectOne(support.status, definitionList, { sql: 'd.guid = ?', values: [run.definition] });
  if (!run || !definition) return false;
  await performRun(run, definition, support);
  return true;
}
