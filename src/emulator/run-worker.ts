import { parentPort } from 'node:worker_threads';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { exportDefinitions } from './families/export-definitions.js';
import { readRecord } from './family/records.js';
import { performExport } from './rules/exchange/perform-export.js';
import { performExtract } from './rules/exchange/perform-extract.js';
import { systemChance } from './rules/guid-source.js';
import { performRun, type RunSupport } from './rules/import/perform-run.js';
import { isStopped, type RunMessage, type RunWorkerData } from './run-queue.js';
import { Interruption } from './store/database.js';
import { definitionList } from './store/imports.js';
import { openSettings } from './store/open.js';
import { openExportRun, openExtractRun, openImportRun } from './store/open-runs.js';
import { RunFiles } from './store/run-files.js';
import { selectOne } from './store/select.js';

const PATIENCE_MS = 60_000;

/** The workspace whose runs are processed. */
let support: RunSupport | undefined;

/** Serializes messages: each waits for the one before it. */
let last = Promise.resolve();

parentPort?.on('message', (message: RunMessage) => {
  last = last.then(() => handleMessage(message));
});

async function handleMessage(message: RunMessage): Promise<void> {
  if (message === 'wake') return performOpenRuns();
  if (message === 'close') return close();
  support = await open(message);
}

async function open({ file, isTemporary, runFolder, dialect, stop }: RunWorkerData): Promise<RunSupport> {
  const opening = { patienceMs: PATIENCE_MS, isTemporary, isStopped: () => isStopped(stop) };
  return {
    status: await openSettings(file, opening),
    data: await openSettings(file, opening),
    files: new RunFiles(runFolder),
    clock: () => new Date(),
    chance: systemChance,
    dialect: dialectNamed(dialect) ?? reference,
    log: (text) => void process.stderr.write(`${text}\n`),
  };
}

/**
 * Performs the open runs, the oldest of each kind in turn, so that imports, exports and extracts do not block each
 * other for long.
 */
async function performOpenRuns(): Promise<void> {
  if (support === undefined) return;
  try {
    while (
      [await performNext(support), await performNextExport(support), await performNextExtract(support)].includes(true)
    );
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
  }
}

function close(): void {
  support?.status.close();
  support?.data.close();
  support = undefined;
  parentPort?.postMessage('closed');
}

async function performNext(support: RunSupport): Promise<boolean> {
  const run = openImportRun(support.status);
  const definition = run && selectOne(support.status, definitionList, { sql: 'd.guid = ?', values: [run.definition] });
  if (!run || !definition) return false;
  await performRun(run, definition, support);
  return true;
}

async function performNextExport(support: RunSupport): Promise<boolean> {
  const run = openExportRun(support.status);
  const definition = run && readRecord(support.status, exportDefinitions, run.definition);
  if (!run || !definition) return false;
  await performExport(run, definition, support);
  return true;
}

async function performNextExtract(support: RunSupport): Promise<boolean> {
  const run = openExtractRun(support.status);
  if (!run) return false;
  await performExtract(run, support);
  return true;
}
