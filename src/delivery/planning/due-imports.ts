import type { Selection } from '#core/engine/selection.js';
import type { Release } from '#core/model/release.js';
import type { LedgerState } from '#ledger/fold.js';

type ReleasedImport = Release['content']['imports'][number];

/**
 * Adds the imports that the source of a release committed and the target did not, neither as they are nor from the same
 * file, unless they are planned or left out.
 */
export function withDueImports(selection: Selection, { content }: Release, { imports }: LedgerState): Selection {
  const { promoted, linked } = selection;
  const committed = [...imports.values()].filter(({ job }) => job.state === 'committed');
  const isDone = ({ address, digest, file }: ReleasedImport): boolean =>
    committed.some(
      ({ key, address: other, facts }) =>
        key === digest || (other === address && file !== undefined && facts?.file?.sha256 === file.sha256),
    );
  const planned = new Set(linked.manifests.map(({ address }) => address));
  const due = content.imports.filter((one) => !planned.has(one.address) && !isDone(one)).map(({ address }) => address);
  return promoted === undefined || due.length === 0 ? selection : { ...selection, promoted: { ...promoted, due } };
}
