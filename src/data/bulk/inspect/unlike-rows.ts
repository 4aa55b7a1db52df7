import { shellWord } from '#base/shell-word.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import type { ChosenKey } from './choose-key.js';
import { type Column, matchingShare, type Roles } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type Draft, withProblem, withRemark } from './draft.js';
import type { Meaning } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';
import { rowsText } from './rows-text.js';
import { CODE } from './unread-number.js';

/** What two rows of one item have in common. */
const OF_ITEMS: readonly Meaning[] = ['revision', 'lifecycle', 'description', 'value', 'package'];
/** What they have in common besides, if their number is none of the company. */
const OF_PARTS: readonly Meaning[] = ['mpn', 'supplierPartNumber'];

/** Designators of parts that are never of one kind. */
const KIND = /^(?<kind>rv|[rcldquy])\d/i;

/** What parts of one number are cut to. */
const MEASURE =
  /^(?:cut )?(?:length|size|dimensions?|width|thickness|diameter|laenge|lange|breite|dicke|durchmesser|abmessung(?:en)?|longueur|longitud|lunghezza|dlugosc|lengte)\b/;

/** What distinguishes lines of one parent and part that are not used together. */
const VERSION =
  /^(?:bom |parent |assembly )?(?:version|rev(?:ision)?(?: ?(?:no|num|number))?|variant|option|valid (?:from|to)|effective (?:from|to)|(?:starting|ending|start|end) date|effectivity)(?: (?:code|no|date))?$/;

/** Asks about lines of one parent and part in several versions: their quantities would be added. */
export async function withVersions(
  path: string,
  draft: Draft,
  columns: readonly Column[],
  roles: Roles,
): Promise<Draft> {
  const versions = columns.filter(
    (column) => column.filled > 0 && VERSION.test(bareHeader(column.header)) && roles.get('revision') !== column,
  );
  const [parent, part] = [draft.mapping.get('number'), draft.mapping.get('item.number')];
  if (draft.kind !== 'BOM' || versions.length === 0 || parent === undefined || part === undefined) return draft;
  const [lines, inVersions] = [new KeyIndex(), new KeyIndex()];
  const apart: number[] = [];
  const names = versions.map(({ name }) => name);
  await eachRowCells(path, draft.source, [parent, part, ...names], (cells, row) => {
    const first = lines.firstRow(joinKey(cells.slice(0, 2)), row);
    if (first !== inVersions.firstRow(joinKey(cells), row)) apart.push(row);
  });
  if (apart.length === 0) return draft;
  const by = names.map((name) => `"${name}"`).join(', ');
  return withProblem(
    draft,
    `${rowsText(apart)}: the same parent and part as a row above, but in another ${by}, and their quantities would be added. Leave out what is not used with \`--where\`, such as \`--where ${shellWord(`${names[0]}=…`)}\`.`,
  );
}

/** Adds a remark about rows that become one item though they describe different ones. */
export async function withUnlikeRows(
  path: string,
  draft: Draft,
  { columns, roles, rows, key }: { columns: readonly Column[]; roles: Roles; rows: number; key: ChosenKey },
): Promise<Draft> {
  const number = draft.mapping.get('number');
  const asked = key.is === 'own' ? OF_ITEMS : [...OF_ITEMS, ...OF_PARTS];
  const measures = columns.filter(({ header }) => MEASURE.test(bareHeader(header)));
  const described = asked.flatMap((role) => roles.get(role) ?? []).filter((column) => columns.includes(column));
  const designators = key.is === 'own' ? undefined : roles.get('refDes');
  const codes = key.is === 'own' ? [] : columns.filter((column) => areOfParts(column, rows));
  const others = [...measures, ...codes, ...(designators === undefined ? [] : [designators])];
  const compared = [...described, ...others.filter((column) => !described.includes(column))];
  if (draft.kind !== 'items' || number === undefined || compared.length === 0 || rows > MOST_ALIKE) return draft;
  const first = new Map<string, { readonly row: number; readonly cells: readonly string[] }>();
  const unlike: string[] = [];
  const cut: string[] = [];
  const names = compared.map(({ name }) => name);
  const place = designators === undefined ? -1 : compared.indexOf(designators);
  await eachRowCells(path, draft.source, [number, ...names], ([text = '', ...all], row) => {
    const cells = all.map((cell, index) => (index === place ? (KIND.exec(cell)?.groups?.kind ?? '') : cell));
    const known = first.get(text);
    const at = known === undefined ? -1 : cells.findIndex((cell, index) => differ(cell, known.cells[index] ?? ''));
    if (known === undefined) first.set(text, { row, cells });
    else if (at !== -1) {
      const found = `row ${row} has the number of row ${known.row} (${JSON.stringify(text)}) but another ${at === place ? 'kind of ' : ''}"${names[at]}"`;
      (measures.includes(compared[at] as Column) ? cut : unlike).push(found);
    }
  });
  const one = firstOf(unlike);
  const remarked =
    one === undefined
      ? draft
      : withRemark(draft, `Open: ${one}, and they become one item. Give different parts different numbers.`);
  const measured = roles.has('quantity') ? firstOf(cut) : undefined;
  return measured === undefined
    ? remarked
    : withProblem(
        remarked,
        `${measured}, and their quantities would be added. Give them different numbers, or leave such rows out with \`--where\`.`,
      );
}

/** Whether a column whose header says nothing has a code for nearly each row, as one with the numbers of parts has. */
const areOfParts = (column: Column, rows: number): boolean =>
  roleNamed(column.header) === undefined &&
  !column.areDesignators &&
  !column.areAddresses &&
  column.filled * 10 >= rows * 8 &&
  column.distinct * 10 >= column.filled * 9 &&
  matchingShare(column, CODE) >= 0.6;

/** The first of some findings, with the number of the others. */
const firstOf = ([one, ...more]: readonly string[]): string | undefined =>
  one === undefined || more.length === 0 ? one : `${one} (${more.length} more)`;

const differ = (one: string, other: string): boolean =>
  one !== '' && other !== '' && one.toLowerCase() !== other.toLowerCase();
