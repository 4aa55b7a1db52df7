import { PARENT_COLUMN } from '#core/jobs/source-cells.js';
import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import { columnsIn, columnTexts, type Draft, withRemark } from './draft.js';
import { MOST_ALIKE } from './row-cells.js';

/** Says that the parts of a BOM without levels are indented as those of a tree: no source reads that. */
export async function withIndentedParts(path: string, draft: Draft): Promise<Draft> {
  const part = draft.mapping.get('item.number') ?? '';
  const [column = ''] = columnsIn(columnTexts(draft.source, part)[0] ?? '');
  const hasOneParent = draft.kind === 'BOM' && draft.source.constants?.[PARENT_COLUMN] !== undefined;
  if (!hasOneParent || draft.source.hierarchy !== undefined || column === '') return draft;
  const { headers, rows } = await openSource(path, draft.source);
  const place = findColumn(headers, column);
  const depths: number[] = [];
  if (place?.is === 'at')
    for await (const { cells } of rows)
      if (depths.length < MOST_ALIKE) depths.push(/^\s*/.exec(cells[place.index] ?? '')?.[0].length ?? 0);
  return areSteps(depths)
    ? withRemark(
        draft,
        `Open: the parts in "${column}" are indented like those of a tree, which is not read, so all lines have one parent. Add a column with their levels (0, 1, 2) to the file and inspect it again.`,
      )
    : draft;
}

/** Whether indentations are multiples of one step, two spaces or more, and no row is more than a step deeper than the one above. */
function areSteps(depths: readonly number[]): boolean {
  const deep = depths.filter((depth) => depth > 0);
  const step = Math.min(...deep);
  return (
    deep.length > 1 &&
    step > 1 &&
    depths[0] === 0 &&
    depths.every((depth, index) => depth % step === 0 && depth <= (depths[index - 1] ?? 0) + step)
  );
}
