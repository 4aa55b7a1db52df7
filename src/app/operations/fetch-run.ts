import { resolve } from 'node:path';
import { EXIT } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { exportDefinition } from '#core/kinds/export-definition.js';
import { extractDefinition } from '#core/kinds/extract-definition.js';
import { addressOf } from '#core/model/address.js';
import { NOTHING_DONE, type Summary } from '#core/stream/event.js';
import {
  checkCriteria,
  checkFolder,
  checkRecord,
  checkSameDefinition,
  parseCriteria,
} from '#data/exchange/check-transfer.js';
import { type Fetching, fetchFiles } from '#data/exchange/fetch-files.js';
import { type RunRecord, readRecord } from '#data/exchange/run-record.js';
import type { Transfer } from '#data/exchange/transfer.js';
import { type Confirmation, confirmationIn } from '#delivery/planfile/consent.js';
import { withConnection } from '#project/connection/connection.js';
import type { Access } from '#project/connection/login-lease.js';
import { connectionPlace } from '#project/connection/place.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findLiveDefinition } from '#project/live/find-live-definition.js';
import { openConfig } from '#project/project.js';
import { openExportRuns } from '#service/export-runs.js';
import { openExtractRuns } from '#service/extract-runs.js';

/** The definition to run, and where its files go. */
export interface FetchOptions extends ProjectOptions, Fetching {
  readonly what: 'export' | 'extract';
  readonly name: string;
  /** Chooses among definitions with the same name. */
  readonly number?: number;
  /** Where the files go. */
  readonly folder: string;
  /** JSON in the service's own format, for export definitions without criteria. */
  readonly criteria?: string;
  /** Asked before a run is started in a production workspace. */
  readonly confirm: Confirmation<FetchOptions['what']>;
  /** Milliseconds to wait for another export to end. */
  readonly patience: number;
}

const TYPES = {
  export: { kind: exportDefinition, open: openExportRuns },
  extract: { kind: extractDefinition, open: openExtractRuns },
} as const;

/**
 * Runs an export or extract definition and puts its files into a folder. Resumes a run that an earlier command left in
 * progress there; nothing is started twice, and each file appears whole or not at all. Returns undefined if nobody
 * confirmed.
 */
export async function fetchRun(options: FetchOptions, host: Host): Promise<Summary | undefined> {
  const criteria = parseCriteria(options.criteria);
  const folder = resolve(host.cwd, options.folder);
  const begun = await checkedRecord(folder, options);
  const config = await openConfig(options, host);
  const access: Access = options.source === 'latest' ? 'read' : 'record';
  const starts = options.source === 'new run' && begun === undefined;
  const confirm = starts ? confirmationIn(config, options, 'no run is started', host) : async () => true;
  return withConnection(config, { environment: options.environment, access }, host, async (connection) => {
    // The previous holder of the lease may have used the folder too.
    const recorded = await checkedRecord(folder, options);
    const { kind, open } = TYPES[options.what];
    const address = addressOf(kind.name, options.name);
    checkRecord(recorded, { folder, address, criteria }, connection);
    const definition = await findLiveDefinition(kind, options, connection);
    if (!(await confirm(options.what, connectionPlace(connection)))) return undefined;
    const asked = { folder, address, criteria };
    checkSameDefinition(recorded, definition, asked);
    if (options.what === 'export') checkCriteria(definition, asked, options.source);
    const transfer: Transfer = {
      address,
      kind: kind.name,
      definition,
      folder,
      ...omitUndefined({ criteria }),
      runs: open(connection.client, definition.guid),
      connection,
      host,
      patience: options.patience,
    };
    await fetchFiles(transfer, recorded, options);
    return summaryOf(transfer);
  });
}

async function checkedRecord(folder: string, options: FetchOptions): Promise<RunRecord | undefined> {
  const recorded = await readRecord(folder);
  await checkFolder(folder, recorded, options);
  return recorded;
}

const summaryOf = ({ connection: { client } }: Transfer): Summary => ({
  ...NOTHING_DONE,
  exitCode: EXIT.done,
  done: 1,
  requests: { used: client.usage.used, remaining: client.usage.remaining },
});
