import { parentPort } from 'node:worker_threads';
import { dialectNamed } from './dialects/catalog.js';
import { reference } from './dialects/reference.js';
import { exportDefinitions } from './families/export-definitions.js';
import { exportRuns } from './families/export-runs.js';
import { extractRuns } from './families/extract-runs.js';
import { importDefinitions } from './families/import-definitions.js';
import { importRuns } from './families/import-runs.js';
import type { Family } from './family/family.js';
import type { StoredRecord } from './family/field.js';
import { readRecord } from './family/records.js';
import { performExport } from './rules/exchange/perform-export.js';
import { performExtract } from './rules/exchange/perform-extract.js';
import { systemChance } from './rules/guid-source.js';
import { performRun, type RunSupport } from './rules/import/perform-run.js';
import { isStopped, type RunMessage, type RunWorkerData } from './run-queue.js';
import { type Database, Interruption } from './store/database.js';
import { openSettings } from './store/open.js';
import { firstOpenRun, type RunTable } from './store/open-runs.js';
import { RunFiles } from './store/run-files.js';

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
    while (await performOneOfEach(support));
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
  }
}

async function performOneOfEach(support: RunSupport): Promise<boolean> {
  const { status } = support;
  const performed = [
    await performNext(status, importRuns, (run) => {
      const definition = readRecord(status, importDefinitions, run.definition);
      return definition && performRun(run, definition, support);
    }),
    await performNext(status, exportRuns, (run) => {
      const definition = readRecord(status, exportDefinitions, run.definition);
      return definition && performExport(run, definition, support);
    }),
    await performNext(status, extractRuns, (run) => performExtract(run, support)),
  ];
  return performed.includes(true);
}

function close(): void {
  support?.status.close();
  support?.data.close();
  support = undefined;
  parentPort?.postMessage('closed');
}

/** Performs the oldest open run of a kind, if there is one; says whether there was. */
async function performNext<R extends StoredRecord>(
  status: Database,
  runs: Family<R>,
  perform: (run: R) => Promise<void> | undefined,
): Promise<boolean> {
  const guid = firstOpenRun(status, runs.table as RunTable);
  const run = guid === undefined ? undefined : readRecord(status, runs, guid);
  const performing = run && perform(run);
  await performing;
  return performing !== undefined;
}
