import { parentPort, workerData } from 'node:worker_threads';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { systemChance } from './rules/chance.js';
import { performExport } from './rules/exchange/perform-export.js';
import { performExtract } from './rules/exchange/perform-extract.js';
import { performRun, type RunSupport } from './rules/import/perform-run.js';
import { isStopped, type RunWorkerData } from './run-queue.js';
import { Interruption } from './store/database.js';
import { exportDefinitionList, exportRunList } from './store/exports.js';
import { extractRunList } from './store/extracts.js';
import { definitionList, runList } from './store/imports.js';
import { openSettings } from './store/open.js';
import { RunFiles } from './store/run-files.js';
import { selectOne } from './store/select.js';

const PATIENCE_MS = 60_000;

/** Runs that are not at their end; used at once, so they stand before the first call. */
const OPEN = { sql: "r.status IN ('CREATED', 'RUNNING')", values: [] };
const OPEN_EXTRACT = { sql: "r.status = 'IN_PROCESS'", values: [] };

const { file, runFolder, dialect, stop } = workerData as RunWorkerData;
const stopped = (): boolean => isStopped(stop);
const support: RunSupport = {
  status: await openSettings(file, PATIENCE_MS, stopped),
  data: await openSettings(file, PATIENCE_MS, stopped),
  files: new RunFiles(runFolder),
  clock: () => new Date(),
  chance: systemChance,
  dialect: dialectNamed(dialect) ?? reference,
  log: (text) => void process.stderr.write(`${text}\n`),
};

let working = false;

parentPort?.on('message', work);
work();

/**
 * Performs what is open, the oldest of each kind in turn, so that imports, exports and extracts do not hold up each other
 * for long; a message that comes meanwhile finds it in the database.
 */
async function work(): Promise<void> {
  if (working) return;
  working = true;
  try {
    while ([await performNext(), await performNextExport(), await performNextExtract()].includes(true));
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    end();
  }
  working = false;
}

/** With its connections closed and nobody to listen to, the thread ends. */
function end(): void {
  support.status.close();
  support.data.close();
  parentPort?.close();
}

async function performNext(): Promise<boolean> {
  const run = selectOne(support.status, { ...runList, order: 'r.number' }, OPEN);
  const definition = run && selectOne(support.status, definitionList, { sql: 'd.guid = ?', values: [run.definition] });
  if (!run || !definition) return false;
  await performRun(run, definition, support);
  return true;
}

async function performNextExport(): Promise<boolean> {
  const run = selectOne(support.status, { ...exportRunList, order: 'r.number' }, OPEN);
  const condition = { sql: 'd.guid = ?', values: [run?.definition ?? ''] };
  const definition = run && selectOne(support.status, exportDefinitionList, condition);
  if (!run || !definition) return false;
  await performExport(run, definition, support);
  return true;
}

async function performNextExtract(): Promise<boolean> {
  const run = selectOne(support.status, { ...extractRunList, order: 'r.seq' }, OPEN_EXTRACT);
  if (!run) return false;
  await performExtract(run, support);
  return true;
}
