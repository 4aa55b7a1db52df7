import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { OWN_NAMES } from '#base/files/entry-name.js';
import { extractDefinition } from '#core/kinds/extract-definition.js';
import { isObject } from '#core/model/json.js';
import type { NamedDefinition } from '#project/live/find-live-definition.js';
import type { ExchangeRun } from '#service/exchange-runs.js';
import { saysAbsentOrForbidden } from '#service/refusal-meaning.js';
import { awaitExchange } from './await-exchange.js';
import { type ReceiveOptions, receiveFiles } from './receive-files.js';
import { type RunRecord, readRecord } from './run-record.js';
import { takeRun } from './take-run.js';
import { dropRecord, emitTransferEvent, nameOfRun, numberPart, saveRecord, type Transfer } from './transfer.js';

/** Which run is fetched, and what happens to its archives and to existing files. */
export interface Fetching extends Pick<ReceiveOptions, 'archives' | 'existing'> {
  readonly source: 'new run' | 'latest';
}

/** Puts the files of a run into the folder: of one that is started or resumed, or of the newest complete one. */
export async function fetchFiles(
  transfer: Transfer,
  recorded: RunRecord | undefined,
  { source, archives, existing }: Fetching,
): Promise<void> {
  const { host, folder, address } = transfer;
  try {
    await removeLeftovers(folder);
    const run =
      source === 'latest'
        ? await latestRun(transfer)
        : await awaitExchange(transfer, await takeRun(transfer, recorded));
    const receiving: ReceiveOptions = {
      archives,
      existing,
      placed: recorded?.files ?? [],
      placing: (files) => notePlaces(transfer, files),
    };
    const files = await receiveFiles(transfer, run, receiving);
    if (source === 'new run') await dropRecord(transfer);
    host.emit({ type: 'transferred', address, outcome: { folder, status: run.status, ...numberPart(run), files } });
  } catch (error) {
    throw await explainFailure(error, transfer);
  }
}

/** Records the files of a run that was started; the newest complete one has no record. */
async function notePlaces(transfer: Transfer, files: readonly string[]): Promise<void> {
  const recorded = await readRecord(transfer.folder);
  if (recorded !== undefined) await saveRecord(transfer, { ...recorded, files });
}

async function latestRun(transfer: Transfer): Promise<ExchangeRun> {
  const run = await transfer.runs.latest();
  if (run === undefined) {
    throw new DexsyncError('NO_RUN', `${transfer.address} has no completed run that this user may read.`, {
      hint: 'Leave out `--latest` to start one.',
    });
  }
  emitTransferEvent(transfer, { is: 'latest', ...numberPart(run) });
  return run;
}

/** Removes partial files of a process that was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const parts = names.filter((name) => name.startsWith(`${OWN_NAMES}part-`));
  for (const name of parts) {
    await rm(join(folder, name), { recursive: true, force: true }).catch((error) => throwAsDisk(error, folder));
  }
}

/** Adds what to do next, if the run continues without this process, or whose it is, if this user may not read it. */
async function explainFailure(error: unknown, { folder, address, definition }: Transfer): Promise<unknown> {
  if (!(error instanceof DexsyncError)) return error;
  if (saysAbsentOrForbidden(error)) return runOfAnotherUser(error, address, definition);
  if (error.code !== 'INTERRUPTED' && error.code !== 'NETWORK') return error;
  const recorded = await readRecord(folder).catch(() => undefined);
  if (recorded === undefined && error.code === 'NETWORK') return error;
  const run = recorded?.run === undefined ? 'the run that may have started' : nameOfRun(recorded.run);
  const hint =
    recorded === undefined
      ? 'No run was left in progress. Repeat the command.'
      : `Repeat the command with the same \`--out\`: it resumes ${run} and does not start a second one.`;
  return new DexsyncError(error.code, error.message, { hint, cause: error });
}

function runOfAnotherUser({ message }: DexsyncError, address: string, { body }: NamedDefinition): DexsyncError {
  const owner = isObject(body.creator) ? (body.creator.fullName ?? body.creator.email) : undefined;
  const who = typeof owner === 'string' ? ` (${owner})` : '';
  const hint = address.startsWith(`${extractDefinition.name}/`)
    ? `Since 2025-07-27 only the owner of an extract may read its files. Log in as its owner${who}.`
    : 'Only the user who started an export run may read it. Log in as that user, or start your own run with another `--out`.';
  return new DexsyncError('PERMISSION', message, { hint });
}
