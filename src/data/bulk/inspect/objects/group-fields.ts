import type { Column } from '../column.js';
import { roleNamed } from '../column-names.js';
import { cellValue, joinCells, referenceTo } from './list-rows.js';
import type { Fields, ListOfObjects } from './object-fields.js';
import { truthWord } from './object-words.js';

/** Proposes the members of groups: by e-mail address, else by full name. */
export function groupFields(list: ListOfObjects): readonly Fields[] {
  const member = memberOf(list);
  const lacking = list.rows.filter((row) => joinCells(row, member) === '');
  const names = member.map(({ name }) => `"${name}"`).join(' and ');
  const [first, ...more] = lacking.map(({ row }) => String(row));
  const shown = more.length === 0 ? `row ${first} has` : `rows ${[first, ...more].slice(0, SHOWN).join(', ')} have`;
  return [
    {
      spec: { members: [referenceTo(...member)] },
      remarks: [
        'Members are users of the workspace, by e-mail address or full name; dexsync creates none. Others are removed from these groups.',
        ...(first === undefined ? [] : [`Open: ${shown} no ${names}, so nobody there becomes a member.`]),
      ],
    },
  ];
}

/** What a mark says of a person alone. */
const OF_PERSON =
  /^(?:(?:is )?(?:in)?(?:active|aktiv|activ[oe]|actif|attivo|aktywny|actief)|enabled|disabled|locked|blocked|gesperrt|external|extern|internal|intern)$/i;

/** Whether a column has a mark for each person who is in the group of its header. */
export const isGroupColumn = ({ header, values }: Column): boolean =>
  header.trim() !== '' &&
  !OF_PERSON.test(header.trim()) &&
  roleNamed(header) === undefined &&
  values !== undefined &&
  [...values.keys()].every((value) => truthWord(value) !== undefined) &&
  yesCells({ values }).length > 0;

/** The cells that say yes. */
export const yesCells = ({ values = new Map() }: Pick<Column, 'values'>): string[] =>
  [...values.keys()].filter((value) => truthWord(value) === true);

/** Rows in a remark. */
const SHOWN = 5;

function memberOf({ columns }: ListOfObjects): readonly Column[] {
  const [email] = columns('email');
  if (email !== undefined) return [email];
  const name = columns('name');
  return name.length > 0 ? name.slice(0, 1) : [...columns('firstName').slice(0, 1), ...columns('lastName').slice(0, 1)];
}

const CERTAIN = /[;|\n]/;
const POSSIBLE = /[,/]/;

/** Cells that name several groups: their parts are divided by a mark that no name has, or are groups of other rows. */
export function severalGroups({ rows }: Pick<ListOfObjects, 'rows'>, group: Column): readonly string[] {
  const all = new Set(rows.map((row) => cellValue(row, group)));
  const partsOf = (cell: string, mark: RegExp): string[] => cell.split(mark).map((part) => part.trim());
  return [...all].filter(
    (cell) =>
      partsOf(cell, CERTAIN).filter((part) => part !== '').length > 1 ||
      (POSSIBLE.test(cell) && partsOf(cell, POSSIBLE).some((part) => all.has(part))),
  );
}
