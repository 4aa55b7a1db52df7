import type { Database } from '../../store/database.js';
import type { RunFiles } from '../../store/run-files.js';
import type { Chance, Clock } from '../guid-source.js';

/** The resources of an export or extract run. `status` and `data` are separate connections to one workspace. */
export interface ExchangeSupport {
  readonly status: Database;
  readonly data: Database;
  readonly files: RunFiles;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: (text: string) => void;
}

/** Runs the work on a snapshot of the workspace as it is when the work begins. */
export async function withSnapshot<T>(data: Database, work: () => Promise<T>): Promise<T> {
  data.exec('BEGIN');
  try {
    return await work();
  } finally {
    data.exec('COMMIT');
  }
}

/** The name of an archive (wire-facts 5.2): `Extract_20150817_164826Z_<GUID>.zip`. */
export function archiveName(kind: 'Export' | 'Extract', at: Date, guid: string): string {
  const [date = '', time = ''] = at.toISOString().slice(0, 19).replace(/[-:]/g, '').split('T');
  return `${kind}_${date}_${time}Z_${guid}.zip`;
}
