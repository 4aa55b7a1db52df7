import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Summary } from '../apply/events.js';
import { OWN_NAMES } from '../bulk/entry-name.js';
import { foreignNames, RECORD_FILE, type RunRecord, readRecord } from '../bulk/run-record.js';
import { DexsyncError, EXIT, throwAsDisk } from '../errors.js';
import { exportDefinition } from '../kinds/export-definition.js';
import { extractDefinition } from '../kinds/extract-definition.js';
import { addressOf } from '../model/address.js';
import { canonical, isObject, type Json } from '../model/json.js';
import type { ExchangeRun } from '../service/exchange-runs.js';
import { openExportRuns } from '../service/export-runs.js';
import { openExtractRuns } from '../service/extract-runs.js';
import { saysAbsentOrForbidden } from '../service/no-endpoint.js';
import { awaitExchange } from './await-exchange.js';
import { type Connection, withConnection } from './connection.js';
import { definitionNamed, type NamedDefinition } from './definition-named.js';
import type { Host, ProjectOptions } from './host.js';
import { openConfig } from './project.js';
import { type Receiving, receiveFiles } from './receive-files.js';
import { takeRun } from './take-run.js';
import { forget, nameOfRun, numbered, record, type Transfer, tell } from './transfer.js';

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
  /** Milliseconds to wait for another export to end. */
  readonly patience: number;
}

const TYPES = {
  export: { kind: exportDefinition, open: openExportRuns },
  extract: { kind: extractDefinition, open: openExtractRuns },
} as const;

/**
 * Runs an export or extract definition and puts its files into a folder. A run that an earlier command left there in
 * progress is taken up again; nothing is started twice, and files are seen whole or not at all.
 */
export async function fetchRun(options: FetchOptions, host: Host): Promise<Summary> {
  const criteria = parsedCriteria(options.criteria);
  const folder = resolve(host.cwd, options.folder);
  const recorded = await readRecord(folder);
  await checkFolder(folder, recorded, options);
  const config = await openConfig(options, host);
  return withConnection(config, options.environment, host, async (connection) => {
    const { kind, open } = TYPES[options.what];
    const address = addressOf(kind.name, options.name);
    checkRecord(recorded, { folder, address, criteria }, connection);
    const definition = await definitionNamed(kind, options, connection);
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
    throw new DexsyncError('UNKNOWN_NAME', `${transfer.address} has no completed run that this user may read.`, {
      hint: 'Leave --latest out to start one.',
    });
  }
  tell(transfer, { is: 'latest', ...numbered(run) });
  return run;
}

function parsedCriteria(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  const hint = `Write it as [[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-100"}]], in one argument.`;
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DexsyncError('USAGE', `--criteria is not JSON: ${(error as Error).message}.`, { hint });
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isGroup)) return value;
  throw new DexsyncError('USAGE', '--criteria is JSON, but no list of groups of comparisons.', { hint });
}

/** The words "AND" and "OR" may stand between groups. */
const isGroup = (entry: Json): boolean => Array.isArray(entry) || typeof entry === 'string' || isObject(entry);

async function checkFolder(
  folder: string,
  recorded: RunRecord | undefined,
  { existing, source }: FetchOptions,
): Promise<void> {
  if (recorded !== undefined && source === 'latest') {
    throw new DexsyncError('USAGE', `A run is in progress in ${folder}, and --latest starts and resumes none.`, {
      hint: 'Leave --latest out to go on with it, or use another --out.',
    });
  }
  const there = await foreignNames(folder, recorded?.files ?? []);
  if (there.length === 0 || existing === 'replaced') return;
  const shown = there.slice(0, 3).map((name) => `"${name}"`);
  const more = there.length > shown.length ? ` and ${there.length - shown.length} more` : '';
  throw new DexsyncError('USAGE', `${folder} is not empty: it holds ${shown.join(', ')}${more}. No run was started.`, {
    hint: 'Use an empty folder, or --force, which replaces files of the same name and leaves all others.',
  });
}

interface Asked {
  readonly folder: string;
  readonly address: string;
  readonly criteria: Json | undefined;
}

function checkRecord(recorded: RunRecord | undefined, asked: Asked, { workspace }: Connection): void {
  if (recorded === undefined) return;
  const { kind, definition } = recorded;
  if (recorded.workspace !== workspace.identity) {
    throw otherRecord(asked, `of workspace ${recorded.workspace} (this one is ${workspace.identity})`);
  }
  if (addressOf(kind, definition) !== asked.address) throw otherRecord(asked, `of ${kind}/${definition}`);
  if (canonical(recorded.criteria) !== canonical(asked.criteria)) throw otherRecord(asked, 'with other criteria');
}

function checkSame(recorded: RunRecord | undefined, { guid }: NamedDefinition, asked: Asked): void {
  if (recorded === undefined || recorded.definitionGuid === guid) return;
  throw otherRecord(asked, `of another definition named ${asked.address}`);
}

/** Criteria stand in the definition or in the run, never in both (wire-facts 5.1). */
function checkCriteria({ body }: NamedDefinition, { address, criteria }: Asked, source: FetchOptions['source']): void {
  if (source === 'latest') {
    if (criteria === undefined) return;
    throw new DexsyncError('USAGE', '--criteria is for a new run, and --latest starts none.', {
      hint: 'Leave one of the two out.',
    });
  }
  const own = body.criteria !== null && body.criteria !== undefined;
  if (own && criteria !== undefined) {
    throw new DexsyncError('USAGE', `${address} has criteria of its own, which a run cannot override.`, {
      hint: 'Leave --criteria out, or use a definition without criteria.',
    });
  }
  if (!own && criteria === undefined) {
    throw new DexsyncError('USAGE', `${address} has no criteria, so each run needs its own.`, {
      hint: `Give them with --criteria '[[{"attribute": "number", "operator": "IS_EQUAL_TO", "value": "P-100"}]]'.`,
    });
  }
}

const otherRecord = ({ folder, address }: Asked, whose: string): DexsyncError =>
  new DexsyncError('USAGE', `A run ${whose} is in progress in ${folder}; ${address} was not started.`, {
    hint: `Use another --out, or end that run with its own command; to give it up remove ${join(folder, RECORD_FILE)}.`,
  });

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
