import { DexsyncError } from '#base/errors.js';
import { isReaddressed } from '#ledger/journal-name.js';
import type { JournalStore } from '#ledger/journal-store.js';
import type { Ledger } from '#ledger/ledger.js';
import { storedLedger } from '#ledger/stored-ledger.js';
import type { AddressCheck } from './address-change.js';

/** A ledger that settles its address first: if it is empty or partly moved, the workspace may have had another. */
export function ledgerAt(journals: JournalStore, reached: AddressCheck): Ledger {
  const ledger = storedLedger(journals);
  if (reached.environment.workspace === 'embedded') return ledger;
  const settle = async (): Promise<boolean> => (await import('./address-change.js')).settleAddress(reached);
  let settled: Promise<unknown> | undefined;
  const isNew = async (): Promise<boolean> => {
    const last = (await journals.recent()).at(-1);
    if (last === undefined) await refuseOther(reached);
    return last === undefined || (isReaddressed(last) && reached.host.movedFrom !== undefined);
  };
  const after =
    <Given extends readonly unknown[], T>(use: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      settled ??= isNew().then((asks) => (asks ? settle() : undefined));
      await settled;
      return use(...given);
    };
  return {
    state: after(async () => {
      try {
        return await ledger.state();
      } catch (error) {
        const isOther = error instanceof DexsyncError && error.code === 'LEDGER_DAMAGED';
        if (!isOther || !(await settle())) throw error;
        return ledger.state();
      }
    }),
    lastApplied: after(ledger.lastApplied),
    journals: after(ledger.journals),
    applyOf: after(ledger.applyOf),
    begin: after(ledger.begin),
  };
}

async function refuseOther({ config, environment, backend, host, connection }: AddressCheck): Promise<void> {
  const { findOtherLedger } = await import('./find-other-ledger.js');
  const { identity } = connection.workspace;
  const empty = { config, environment: environment.name, identity, place: backend.place };
  const other = await findOtherLedger(empty, host);
  if (other !== undefined) throw other.error;
}
