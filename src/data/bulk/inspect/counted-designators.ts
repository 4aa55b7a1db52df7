import { designatorCount, readDesignators } from '../source/designators.js';
import { type Draft, withRemark, withSource } from './draft.js';
import { eachRowCells } from './row-cells.js';

/** Fewer rows with several designators say nothing about the others. */
const LEAST = 2;
const NAME = 'Number of Designators';

/**
 * Counts the designators of a BOM, if its quantities agree with them in no row that has several: they are those of an
 * order, or of many boards. Undefined if one agrees.
 */
export async function countDesignators(path: string, draft: Draft): Promise<Draft | undefined> {
  const [quantity, refDes] = [draft.mapping.get('quantity'), draft.mapping.get('refDes')];
  if (quantity === undefined || refDes === undefined || quantity === NAME) return undefined;
  let several = 0;
  let agreeing = 0;
  await eachRowCells(path, draft.source, [quantity, refDes], ([stated = '', designators = '']) => {
    const count = designatorCount(readDesignators(designators)) ?? 0;
    if (count > 1) several += 1;
    if (count > 1 && Number(stated) === count) agreeing += 1;
  });
  if (several < LEAST || agreeing > 0) return undefined;
  const counted = withSource(draft, { columns: { ...draft.source.columns, [NAME]: { count: refDes } } });
  return withRemark(
    { ...counted, mapping: new Map([...draft.mapping, ['quantity', NAME]]) },
    `Open: "${quantity}" agrees with the designators in none of the ${several} rows that have several, so the designators are counted instead. Map "${quantity}" to the quantity if it is the one of the BOM.`,
  );
}
