import type { ChosenKey } from './choose-key.js';
import type { Draft } from './draft.js';
import { withEmptyQuantities } from './empty-quantities.js';
import { fitDraft } from './fit-draft.js';
import { withIndentedParts } from './indented-parts.js';
import type { KnownTable } from './known-table.js';
import { withoutLinePrices } from './line-prices.js';
import { withOddNumbers } from './odd-numbers.js';
import { onlyPartLines } from './other-lines.js';
import { onceForMakers } from './rows-of-makers.js';
import { withoutShifted } from './shifted-rows.js';
import { withoutSubstitutes } from './substitutes.js';
import { withUnlikeRows, withVersions } from './unlike-rows.js';

/** Changes a draft until the checks of an import accept its rows, and asks about rows that are odd beside others. */
export async function finishDraft(
  path: string,
  draft: Draft,
  table: KnownTable & { readonly key: ChosenKey },
  signal: AbortSignal,
): Promise<Draft> {
  const { columns, roles } = table;
  const placed = withoutShifted(draft, table.shifted ?? [], columns);
  const needed = await withoutSubstitutes(path, await onlyPartLines(path, placed, columns, roles), columns);
  const once = await onceForMakers(path, needed, columns, roles);
  const priced = await withoutLinePrices(
    path,
    await fitDraft(path, await withOddNumbers(path, once, table), signal),
    table,
  );
  const unlike = await withIndentedParts(path, await withUnlikeRows(path, priced, table));
  return withEmptyQuantities(path, await withVersions(path, unlike, columns, roles));
}
