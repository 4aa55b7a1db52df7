import type { ImportSource } from '#core/jobs/source.js';
import { type Draft, type ProposedDraft, withSource } from './draft.js';
import { withoutMarked } from './placeholders.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';

/** Gives sources each condition of the items, if they have rows without an item: such a row would be refused. */
export async function withSameConditions(
  path: string,
  drafts: readonly ProposedDraft[],
): Promise<readonly ProposedDraft[]> {
  const items = drafts.find((draft): draft is Draft => draft.kind === 'items');
  const { where } = items?.source ?? {};
  if (items === undefined || where === undefined) return drafts;
  const numbers = await numbersOf(path, items);
  if (numbers.size >= MOST_ALIKE) return drafts;
  const limited = drafts.map(async (draft) => {
    if (draft.kind !== 'sources' || Object.keys(where).every((name) => draft.source.where?.[name] !== undefined))
      return draft;
    const unknown = new Map([...(await numbersOf(path, draft))].filter(([number]) => !numbers.has(number)));
    return unknown.size === 0 ? draft : withoutUnknown(draft, where, unknown);
  });
  return Promise.all(limited);
}

function withoutUnknown(
  draft: Draft,
  where: NonNullable<ImportSource['where']>,
  values: ReadonlyMap<string, number>,
): Draft {
  if (draft.source.fillDown === undefined) return withSource(draft, { where: { ...where, ...draft.source.where } });
  // Rows of further makers meet no condition of the rows of their parts.
  return withoutMarked(draft, [{ name: draft.mapping.get('number') ?? '', values }]);
}

async function numbersOf(path: string, { source, mapping }: Draft): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  await eachRowCells(path, source, [mapping.get('number') ?? ''], ([number = '']) => {
    if (found.size < MOST_ALIKE || found.has(number)) found.set(number, (found.get(number) ?? 0) + 1);
  });
  return found;
}
