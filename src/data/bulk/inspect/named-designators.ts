import { quoted } from '#base/printable.js';
import type { ImportSource } from '#core/jobs/source.js';
import { type Column, matchingShare, type Roles } from './column.js';
import { type Draft, withRemark, withSource } from './draft.js';
import { eachRowCells } from './row-cells.js';

/** Words, where others have designators. */
const WORDS = /^[^,;_]*\p{Ll}{3}[^,;_]*$/u;
const DESIGNATOR = /^[A-Z]{1,4}\$?\d+/i;
const isName = (text: string): boolean => WORDS.test(text) && !DESIGNATOR.test(text);

/**
 * Names of parts in a column of designators: words in rows of one piece that nothing else names, such as a cable among
 * the parts of a circuit.
 */
export async function namesAmongDesignators(
  path: string,
  source: ImportSource,
  roles: Roles,
): Promise<readonly string[] | undefined> {
  const [refDes, quantity] = [roles.get('refDes'), roles.get('quantity')];
  const naming = (['name', 'description', 'value', 'mpn'] as const).flatMap((role) => roles.get(role)?.name ?? []);
  if (refDes === undefined || quantity === undefined || naming.length === 0) return undefined;
  if (matchingShare(refDes, DESIGNATOR) < 0.5 || ![...(refDes.values?.keys() ?? [])].some(isName)) return undefined;
  const found = new Set<string>();
  const columns = [refDes.name, quantity.name, ...naming];
  await eachRowCells(path, source, columns, ([text = '', pieces, ...others]) => {
    if (isName(text) && Number(pieces) === 1 && others.every((other) => other === '')) found.add(text);
  });
  return found.size === 0 ? undefined : [...found];
}

const MOST_SHOWN = 5;

/** Takes names of parts from the designators of a BOM. */
export function withoutNames(draft: Draft, refDes: Column, names: readonly string[]): Draft {
  const { values } = draft.source;
  const emptied = Object.fromEntries(names.map((name) => [name, '']));
  const shown = names.slice(0, MOST_SHOWN).map(quoted).join(', ');
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '';
  return withRemark(
    withSource(draft, { values: { ...values, [refDes.name]: { ...values?.[refDes.name], ...emptied } } }),
    `Cells of "${refDes.name}" that name a part are no designators: ${shown}${more}.`,
  );
}
