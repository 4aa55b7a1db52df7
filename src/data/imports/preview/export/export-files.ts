import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { TakenNames } from '#base/files/entry-name.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Json } from '#core/model/json.js';
import type { ExchangeRun } from '#service/exchange-runs.js';
import { ServiceError } from '#service/service-error.js';
import { download } from '../../../exchange/download.js';
import { emitTransferEvent, pause, type RunClient } from '../../../exchange/transfer.js';
import { unpack } from '../../../exchange/unpack.js';

/** An export that is run only to read items. */
export interface ExportedItems extends RunClient {
  /** A folder that does not exist yet; it is removed afterwards. */
  readonly folder: string;
  readonly criteria: Json;
  /** How many items the criteria name; determines the first wait. */
  readonly items: number;
}

/** The unpacked files of a run that succeeded. */
export interface ExportFiles {
  readonly paths: readonly string[];
  /** Items that the service counted; absent if it does not say. */
  readonly count?: number;
}

/**
 * Runs an export to its end and passes its files to `use`. Waits for another export (wire-facts 2.1, 3144) and for the
 * end of this one, each for at most `patience`. Repeats a start whose answer was lost: an extra run reads and changes
 * nothing. Throws RUN_FAILED, and the errors of fetching and unpacking the archive.
 */
export async function withExport<T>(exported: ExportedItems, use: (files: ExportFiles) => Promise<T>): Promise<T> {
  const { folder, host } = exported;
  await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 });
  try {
    const run = await awaitEnd(await startExport(exported), exported);
    const taken = new TakenNames();
    const paths: string[] = [];
    for (const [index, file] of (await exported.runs.files(run)).entries()) {
      const archive = { path: join(folder, `${index}.zip`), name: file.name ?? `archive-${index + 1}.zip` };
      await download(exported, run, { ...file, name: archive.name }, archive.path);
      const unpacked = await unpack(archive, join(folder, 'files'), taken, host.signal);
      await rm(archive.path);
      paths.push(...unpacked.map(({ path }) => join(folder, 'files', path)));
    }
    const { criteriaResultsCount: count } = run.body;
    return await use({ paths, ...(typeof count === 'number' ? { count } : {}) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Wire-facts 2.1: only one export can be in progress at any time. */
const ANOTHER_IN_PROGRESS = 3144;
const MOST_LOST = 1;

async function startExport(exported: ExportedItems): Promise<ExchangeRun> {
  const { runs, criteria, patience } = exported;
  let lost = 0;
  for (let [waited, wait] = [0, FIRST_WAIT]; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      const run = await runs.start(criteria);
      emitTransferEvent(exported, { is: 'started', ...omitUndefined({ number: run.number }) });
      return run;
    } catch (error) {
      const isBusy = error instanceof ServiceError && error.has(ANOTHER_IN_PROGRESS);
      if (isLost(error) && lost < MOST_LOST) lost += 1;
      else if (!isBusy || waited >= patience) throw error;
      emitTransferEvent(exported, {
        is: 'waiting',
        seconds: Math.round(waited / 1000),
        most: Math.round(patience / 1000),
      });
      await pause(exported, wait);
      waited += wait;
    }
  }
}

const isLost = (error: unknown): boolean => error instanceof DexsyncError && error.code === 'WRITE_UNANSWERED';

/** Milliseconds. Waits are doubled, since every poll is a request: six polls are a minute, nine are eight. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 240_000;
/** Items that a fast service exports in a millisecond. */
const QUICK = 10;
const SHORTEST_WAIT = 100;

async function awaitEnd(started: ExchangeRun, exported: ExportedItems): Promise<ExchangeRun> {
  const { items, patience, runs } = exported;
  let run = started;
  let wait = Math.max(SHORTEST_WAIT, items / QUICK);
  for (let waited = 0; run.state !== 'complete'; ) {
    if (run.state === 'failed' || run.state === 'aborted') throw notEnded(run, `ended as ${run.status}`);
    if (waited >= patience)
      throw notEnded(
        run,
        `was still ${run.status} after ${Math.round(waited / 1000)} seconds, and is not waited for any longer`,
      );
    await pause(exported, wait);
    waited += wait;
    wait = Math.min(2 * wait, LONGEST_WAIT);
    run = await runs.read(run.guid);
    emitTransferEvent(exported, { is: 'polled', status: run.status, seconds: Math.round(waited / 1000) });
  }
  return run;
}

const notEnded = ({ number }: ExchangeRun, what: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `export run${number === undefined ? '' : ` #${number}`} ${what}.`);
