import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { throwAsDisk } from '#base/files/disk-error.js';
import { readJsonLines } from '#base/files/json-lines.js';
import { makeFolder } from '#base/files/make-folder.js';
import { newOwnFolder } from '#base/files/spool-folder.js';
import type { Address } from '#core/model/address.js';
import type { RowChange } from '#core/model/rows-preview.js';

/**
 * All changes of the rows of one plan's imports, on disk until `close`; the plan itself has the first 200 of each
 * import. Pass it to an operation that creates a plan, which fills it when it ends.
 */
export interface RowChanges {
  /** In the order of the file, then the records that it lacks. Undefined if the rows were not compared. */
  of(address: Address): AsyncIterable<RowChange> | undefined;
  /** @internal Moves files of changes out of the folder of their plan. `data`: the data folder of the project. */
  keep(files: Iterable<readonly [Address, string]>, data: string): Promise<void>;
  /** Removes the changes. */
  close(): Promise<void>;
}

/** Opens a place for the changes of one plan; nothing is written to disk before there are any. */
export function openRowChanges(): RowChanges {
  const paths = new Map<Address, string>();
  let folder: string | undefined;
  return {
    of(address) {
      const path = paths.get(address);
      return path === undefined ? undefined : readJsonLines<RowChange>(path);
    },
    async keep(files, data) {
      for (const [address, file] of files) {
        folder ??= await newFolder(join(data, 'tmp'));
        const path = join(folder, `${paths.size}.ndjson`);
        await rename(file, path);
        paths.set(address, path);
      }
    },
    async close() {
      paths.clear();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

const newFolder = (root: string): Promise<string> =>
  makeFolder(root, 0o700)
    .then(() => newOwnFolder(root))
    .catch((error: unknown) => throwAsDisk(error, `The folder ${root}`));
