import { omitUndefined } from '#base/omit-undefined.js';
import type { Selection } from '#core/engine/selection.js';
import type { Plan } from '#core/model/plan.js';
import { type Release, releaseKeyOf } from '#core/model/release.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Ledger } from '#ledger/ledger.js';
import { promotionsIn } from '../release/promotions.js';

type ReleasedImport = Release['content']['imports'][number];
type Stays = NonNullable<NonNullable<Plan['promoted']>['stays']>;

/**
 * Adds what a promotion does not do to rows: imports that the source committed and the target did not, neither as they are
 * nor from the same file, unless they are planned; and, going back, rows of later imports, which stay.
 */
export async function withReleasedRows(
  selection: Selection,
  release: Release,
  state: LedgerState,
  ledger: Ledger,
): Promise<Selection> {
  const { promoted, linked } = selection;
  if (promoted === undefined) return selection;
  const committed = committedIn(state);
  const planned = new Set(linked.manifests.map(({ address }) => address));
  const due = release.content.imports
    .filter((one) => !planned.has(one.address) && !committed.some((other) => isSame(one, other)))
    .map(({ address }) => address);
  const stays = (await isLeft(release, ledger)) ? staysAfter(release, committed) : [];
  const rows = omitUndefined({
    due: due.length === 0 ? undefined : due,
    stays: stays.length === 0 ? undefined : stays,
  });
  return { ...selection, promoted: { ...promoted, ...rows } };
}

type Committed = ReturnType<typeof committedIn>;

const committedIn = ({ imports }: LedgerState) =>
  [...imports.values()].flatMap(({ address, key, job, facts }) =>
    job.state === 'committed' ? [{ address, key, file: facts?.file, rows: job.rows, at: job.at, facts }] : [],
  );

const isSame = ({ address, digest, file }: ReleasedImport, other: Committed[number]): boolean =>
  other.key === digest || (other.address === address && file !== undefined && other.file?.sha256 === file.sha256);

/** Whether the release that was promoted last is a later one of the same source. */
async function isLeft({ source, number }: Release, ledger: Ledger): Promise<boolean> {
  const journals = (await ledger.journals()).map((journal, index) => ({ ...journal, number: index + 1 }));
  for await (const { name } of promotionsIn(journals)) {
    const last = releaseKeyOf(name);
    return last?.source === source && last.number > number;
  }
  return false;
}

/** The rows that were committed since the release and are none of its. */
function staysAfter({ at, content }: Release, committed: Committed): Stays {
  const undone = new Set(committed.flatMap(({ facts }) => facts?.undoes?.key ?? []));
  return committed
    .filter((one) => one.at > at && !content.imports.some((released) => isSame(released, one)))
    .filter(({ key, facts }) => facts?.undoes === undefined && !undone.has(key))
    .map(({ address, rows, at: committedAt }) => ({ address, rows, at: committedAt }));
}
