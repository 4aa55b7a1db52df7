import type { ImportSource } from '#core/jobs/source.js';
import { readDesignators } from '../source/designators.js';
import type { Column, Roles } from './column.js';
import { LEFT_OUT, withoutValues } from './draft.js';
import type { WithoutTitles } from './exclude-titles.js';
import { eachRowCells } from './row-cells.js';
import { placeNames } from './title-column.js';

interface Block {
  readonly title: string;
  readonly designators: Set<string>;
  /** Rows with a quantity. */
  counted: number;
}

/** Leaves out blocks with the designators of another one, such as parts one by one beside the same parts in groups. */
export async function excludeSameBlocks(
  path: string,
  source: ImportSource,
  columns: readonly Column[],
  roles: Roles,
): Promise<WithoutTitles> {
  const [title, ...others] = placeNames(source, 'title');
  const [refDes, quantity] = [roles.get('refDes'), roles.get('quantity')];
  const titles = columns.find(({ name }) => name === title)?.distinct ?? 0;
  if (title === undefined || others.length > 0 || refDes === undefined || titles < 2) return { source };
  const blocks = new Map<string, Block>();
  await eachRowCells(path, source, [title, refDes.name, quantity?.name ?? ''], ([name = '', cell = '', count]) => {
    const block = blocks.get(name) ?? { title: name, designators: new Set(), counted: 0 };
    blocks.set(name, block);
    for (const one of readDesignators(cell)) block.designators.add(one);
    if (count !== '' && quantity !== undefined) block.counted += 1;
  });
  const found = [...blocks.values()].flatMap((block) => {
    const better = [...blocks.values()].find((other) => isBetter(other, block) && areSame(other, block));
    return better === undefined ? [] : [{ block, better }];
  });
  const [first] = found;
  if (first === undefined) return { source };
  return {
    source: withoutValues(
      source,
      title,
      found.map(({ block }) => block.title),
    ),
    remark: `${LEFT_OUT}the block "${first.block.title}", since it has the designators of "${first.better.title}", and these would count twice.`,
  };
}

const areSame = (one: Block, other: Block): boolean =>
  one.designators.size > 0 &&
  one.designators.size === other.designators.size &&
  [...one.designators].every((designator) => other.designators.has(designator));

/** Of two blocks with quantities, or without, the first is better. */
const isBetter = (one: Block, other: Block): boolean => one.counted > other.counted;
