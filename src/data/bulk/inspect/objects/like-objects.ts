import type { Diagnostic } from '#base/diagnostics.js';
import type { RowSource } from '#core/jobs/source.js';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { JsonObject } from '#core/model/json.js';
import type { Column } from '../column.js';
import { type ObjectsDraft, withRemark } from '../draft.js';
import type { SettledObjects } from '../settled-list.js';
import { objectErrors, withProblem } from './check-objects.js';
import { objectListIn } from './object-list.js';

/** A list to draft like others; the settings of its source win. */
interface SimilarRows {
  readonly path: string;
  readonly source: RowSource;
  readonly columns: readonly Column[];
}

/** Drafts a list by each of these manifests that names only columns of it; what else does not fit is a problem. */
export async function likeObjects(list: SimilarRows, settled: readonly SettledObjects[]): Promise<ObjectsDraft[]> {
  const drafts: ObjectsDraft[] = [];
  for (const { manifest } of settled) {
    const draft = draftOf(manifest, list);
    const errors = await objectErrors(list.path, draft);
    if (!errors.some(isOfColumns)) drafts.push(withProblem(draft, errors.filter(isOfRows)));
  }
  return drafts;
}

const isOfColumns = ({ code }: Diagnostic): boolean => code === 'row-column';
/** Variables and kinds of its own are those of the project. */
const isOfRows = ({ code }: Diagnostic): boolean => code !== 'variable-unknown' && code !== 'kind-unknown';

function draftOf({ kind, metadata, spec = {}, ...manifest }: JsonObject, list: SimilarRows): ObjectsDraft {
  const before = manifest[FOR_EACH] as unknown as RowSource;
  const draft: ObjectsDraft = {
    ...{ kind: 'objects', of: String(kind), metadata: metadata as JsonObject, spec: spec as JsonObject },
    source: { ...before, ...list.source },
    meanings: objectListIn(list.columns)?.meanings ?? new Map(),
    ...{ remarks: [], open: [] },
  };
  return withRemark(
    draft,
    `Open: an object that ${before.file} has too would be described twice. To use this list from now on, put it in the place of that one.`,
  );
}
