import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { withConnection } from '../connection/connection.js';
import type { Access } from '../connection/gate.js';
import { DexsyncError, EXIT, throwAsDisk } from '../errors.js';
import { awaitExchange } from '../exchange/await-exchange.js';
import { checkCriteria, checkFolder, checkRecord, checkSame, parsedCriteria } from '../exchange/check-transfer.js';
import { type Receiving, receiveFiles } from '../exchange/receive-files.js';
import { type RunRecord, readRecord } from '../exchange/run-record.js';
import { takeRun } from '../exchange/take-run.js';
import { forget, nameOfRun, numbered, record, type Transfer, tell } from '../exchange/transfer.js';
import { OWN_NAMES } from '../files/entry-name.js';
import type { Host, ProjectOptions } from '../host.js';
import { exportDefinition } from '../kinds/export-definition.js';
import { extractDefinition } from '../kinds/extract-definition.js';
import { definitionNamed, type NamedDefinition } from '../live/definition-named.js';
import { addressOf } from '../model/address.js';
import { isObject } from '../model/json.js';
import type { Plan } from '../model/plan.js';
import { type Confirmation, confirmationIn } from '../planfile/consent.js';
import { openConfig } from '../project/project.js';
import type { ExchangeRun } from '../service/exchange-runs.js';
import { openExportRuns } from '../service/export-runs.js';
import { openExtractRuns } from '../service/extract-runs.js';
import { saysAbsentOrForbidden } from '../service/refusal-meaning.js';
import type { Summary } from '../stream/events.js';

export interface FetchOptions extends ProjectOptions {
  readonly what: 'export' | 'extract';
  readonly name: string;
  /** Chooses among definitions of one name. */
  readonly number?: number;
  /** Where the files go. */
  readonly folder: string;
  readonly archives: Receiving['archives'];
  readonly existing: Receiving['existing'];
  readonly source: 'new run' | 'latest';
  /** JSON in the service's own words, for export definitions without criteria. */
  readonly criteria?: string;
  /** To start a run in a production workspace. */
  readonly confirm: Confirmation<Pick<Plan, 'workspace'>>;
  /** Milliseconds to wait for another export to end. */
  readonly patience: number;
}

const TYPES = {
  export: { kind: exportDefinition, open: openExportRuns },
  extract: { kind: extractDefinition, open: openExtractRuns },
} as const;

/**
 * Runs an export or extract definition and puts its files into a folder. A run that an earlier command left there in
 * progress is taken up again; nothing is started twice, and files are seen whole or not at all. Undefined where nobody
 * confirmed.
 */
export async function fetchRun(options: FetchOptions, host: Host): Promise<Summary | undefined> {
  const criteria = parsedCriteria(options.criteria);
  const folder = resolve(host.cwd, options.folder);
  const begun = await checkedRecord(folder, options);
  const config = await openConfig(options, host);
  const access: Access = options.source === 'latest' ? 'read' : 'write';
  const starts = options.source === 'new run' && begun === undefined;
  const confirm = starts ? confirmationIn(config, options, 'no run is started', host) : async () => true;
  return withConnection(config, { environment: options.environment, access }, host, async (connection) => {
    // Whoever had the lease before may have used the folder too.
    const recorded = await checkedRecord(folder, options);
    const { kind, open } = TYPES[options.what];
    const address = addressOf(kind.name, options.name);
    checkRecord(recorded, { folder, address, criteria }, connection);
    const definition = await definitionNamed(kind, options, connection);
    if (!(await confirm(connection))) return undefined;
    const asked = { folder, address, criteria };
    checkSame(recorded, definition, asked);
    if (options.what === 'export') checkCriteria(definition, asked, options.source);
    const transfer: Transfer = {
      address,
      kind: kind.name,
      definition,
      folder,
      ...(criteria === undefined ? {} : { criteria }),
      runs: open(connection.client, definition.guid),
      connection,
      host,
      patience: options.patience,
    };
    return fetched(transfer, recorded, options);
  });
}

async function checkedRecord(folder: string, options: FetchOptions): Promise<RunRecord | undefined> {
  const recorded = await readRecord(folder);
  await checkFolder(folder, recorded, options);
  return recorded;
}

async function fetched(
  transfer: Transfer,
  recorded: RunRecord | undefined,
  { source, archives, existing }: FetchOptions,
): Promise<Summary> {
  const { host, folder, address } = transfer;
  try {
    await removeLeftovers(folder);
    const run =
      source === 'latest'
        ? await latestRun(transfer)
        : await awaitExchange(transfer, await takeRun(transfer, recorded));
    const receiving: Receiving = {
      archives,
      existing,
      placed: recorded?.files ?? [],
      placing: (files) => notePlaces(transfer, files),
    };
    const files = await receiveFiles(transfer, run, receiving);
    if (source === 'new run') await forget(transfer);
    host.emit({ type: 'transferred', address, outcome: { folder, status: run.status, ...numbered(run), files } });
  } catch (error) {
    throw await explained(error, transfer);
  }
  return done(transfer);
}

/** A run that was begun is recorded; the newest complete one needs no record. */
async function notePlaces(transfer: Transfer, files: readonly string[]): Promise<void> {
  const recorded = await readRecord(transfer.folder);
  if (recorded !== undefined) await record(transfer, { ...recorded, files });
}

async function latestRun(transfer: Transfer): Promise<ExchangeRun> {
  const run = await transfer.runs.latest();
  if (run === undefined) {
    throw new DexsyncError('NO_RUN', `${transfer.address} has no completed run that this user may read.`, {
      hint: 'Leave --latest out to start one.',
    });
  }
  tell(transfer, { is: 'latest', ...numbered(run) });
  return run;
}

/** What a process that was killed left half done. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const parts = names.filter((name) => name.startsWith(`${OWN_NAMES}part-`));
  for (const name of parts) {
    await rm(join(folder, name), { recursive: true, force: true }).catch((error) => throwAsDisk(error, folder));
  }
}

/** What to do next, where the run goes on without this process, and whose it is, where this user may not read it. */
async function explained(error: unknown, { folder, address, definition }: Transfer): Promise<unknown> {
  if (!(error instanceof DexsyncError)) return error;
  if (saysAbsentOrForbidden(error)) return forbidden(error, address, definition);
  if (error.code !== 'INTERRUPTED' && error.code !== 'NETWORK') return error;
  const recorded = await readRecord(folder).catch(() => undefined);
  if (recorded === undefined && error.code === 'NETWORK') return error;
  const run = recorded?.run === undefined ? 'the run that it may have started' : nameOfRun(recorded.run);
  const hint =
    recorded === undefined
      ? 'No run is in progress because of it. Repeat the command.'
      : `Repeat the command with the same --out: it goes on with ${run} and starts no second one.`;
  return new DexsyncError(error.code, error.message, { hint, cause: error });
}

function forbidden({ message }: DexsyncError, address: string, { body }: NamedDefinition): DexsyncError {
  const owner = isObject(body.creator) ? (body.creator.fullName ?? body.creator.email) : undefined;
  const who = typeof owner === 'string' ? ` It was made by ${owner}.` : '';
  const hint = address.startsWith(`${extractDefinition.name}/`)
    ? `Since 2025-07-27 only the owner of an extract may read its files.${who} Log in as its owner.`
    : 'Only the user who started an export run may read it. Log in as that user, or start a run of your own in another --out.';
  return new DexsyncError('PERMISSION', message, { hint });
}

const done = ({ connection: { client } }: Transfer): Summary => ({
  type: 'summary',
  exitCode: EXIT.done,
  done: 1,
  failed: 0,
  unknown: 0,
  skipped: 0,
  blocked: 0,
  manual: 0,
  unchanged: 0,
  rows: { committed: 0, failed: 0 },
  requests: { used: client.usage.used, remaining: client.usage.remaining },
});
