import type { ImportSource } from '#core/jobs/source.js';
import { splitValues } from '../source/split-rows.js';
import type { Column, Roles } from './column.js';
import { eachRowCells } from './row-cells.js';

/** What may stand between several makers in a cell, the most certain first; undefined: line breaks. */
const BETWEEN = [undefined, ';', '|', ' / ', ','];

/** Finds what divides cells with several makers and as many numbers; undefined if it divides one unlike the other. */
export async function severalMakers(
  path: string,
  source: ImportSource,
  roles: Roles,
): Promise<ImportSource['splitRows']> {
  const columns = (['manufacturer', 'mpn'] as const).flatMap((role) => roles.get(role) ?? []);
  const names = columns.map(({ name }: Column) => name);
  if (names.length < 2 || names.some((name) => source.columns?.[name] !== undefined)) return undefined;
  const found = BETWEEN.map((at) => ({ at, even: 0, uneven: 0 }));
  await eachRowCells(path, source, names, ([maker = '', number = '']) => {
    for (const one of found) {
      const [makers, numbers] = [splitValues(maker, one.at).length, splitValues(number, one.at).length];
      if (makers !== numbers) one.uneven += 1;
      else if (makers > 1) one.even += 1;
    }
  });
  const fit = found.find(({ even, uneven }) => even > 0 && uneven === 0);
  return fit && { columns: names, ...(fit.at === undefined ? {} : { at: fit.at }) };
}
