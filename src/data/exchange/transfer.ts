import { setTimeout as wait } from 'node:timers/promises';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { Json } from '#core/model/json.js';
import type { TransferEvent } from '#core/stream/transfer-event.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import type { NamedDefinition } from '#project/live/find-live-definition.js';
import type { ExchangeRun, ExchangeRuns } from '#service/exchange-runs.js';
import { type RunRecord, removeRecord, writeRecord } from './run-record.js';

/** What all stages of an export or extract into a folder need. */
export interface Transfer {
  readonly address: Address;
  readonly kind: string;
  readonly definition: NamedDefinition;
  readonly folder: string;
  readonly criteria?: Json;
  readonly runs: ExchangeRuns;
  readonly connection: Connection;
  readonly host: Host;
  /** Milliseconds to wait for another export to end, and for an archive to be ready. */
  readonly patience: number;
}

/** What waiting for a run and fetching its files needs, for any target. */
export type RunClient = Pick<Transfer, 'address' | 'runs' | 'host' | 'patience'>;

/** Emits an event of a transfer under its address. */
export const emitTransferEvent = ({ host, address }: Pick<Transfer, 'host' | 'address'>, event: TransferEvent): void =>
  host.emit({ type: 'transfer', address, event });

/** Waits; an interruption ends the wait at once and throws INTERRUPTED. */
export async function pause(
  { host, address }: Pick<Transfer, 'host' | 'address'>,
  milliseconds: number,
): Promise<void> {
  await wait(milliseconds, undefined, { signal: host.signal }).catch(() => undefined);
  if (host.signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while waiting for ${address}.`);
}

/** The record of this transfer before its run is known. */
export const freshRecord = (transfer: Transfer, known: readonly ExchangeRun[]): RunRecord => {
  const { kind, definition, criteria, connection } = transfer;
  return {
    version: 1,
    workspace: connection.workspace.identity,
    kind,
    definition: definition.name,
    definitionGuid: definition.guid,
    ...omitUndefined({ criteria }),
    known: known.map(({ guid }) => guid),
  };
};

/** Writes the record of a transfer into its folder, atomically and on disk when this returns. */
export const saveRecord = ({ folder }: Transfer, entry: RunRecord): Promise<void> => writeRecord(folder, entry);

/** Removes the record of a transfer that ended or never began. */
export const dropRecord = ({ folder }: Transfer): Promise<void> => removeRecord(folder);

/** Names a run by its number: a GUID means nothing to people. */
export const nameOfRun = ({ number }: { readonly number?: number }): string =>
  number === undefined ? 'the run' : `run #${number}`;

/** `number` of a run, if it has one, for events and records. */
export const numberPart = ({ number }: { readonly number?: number }): { number?: number } =>
  number === undefined ? {} : { number };
