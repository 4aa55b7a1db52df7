import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { quoted } from '#base/printable.js';
import type { Column, Roles } from './column.js';
import { bareHeader, isOfDemands, roleNamed } from './column-names.js';
import { type GivenMeanings, type Meaning, REPEATED } from './meanings.js';
import { orderRoles } from './order-list.js';
import { rolesInPairs } from './parent-columns.js';
import { findVariants } from './quantity-variants.js';
import { columnNumberingItems, readRole } from './role-by-name.js';
import { takeByLook } from './roles-by-look.js';
import { TOGETHER, takeHouseCodes } from './roles-together.js';

/**
 * Assigns roles to columns: those that people gave them; others by name, corrected by the cells; by the cells alone if the
 * name says nothing. `said`: what people say of other tables of the file, too.
 */
export function assignRoles(
  columns: readonly Column[],
  rows: number,
  given: GivenMeanings = {},
  said: ReadonlySet<Meaning | 'none'> = new Set(),
): Roles {
  const filled = columns.filter(({ filled: count, name }) => count > 0 && name !== '' && given[name] === undefined);
  const found = columnsGiven(columns, given);
  const fixed = new Set(found.keys());
  readRoles(found, filled, rows, fixed);
  if (fixed.has('description')) keepName(found, filled);
  for (const [role, correct] of TOGETHER) if (!fixed.has(role)) correct(found, rows, filled);
  takeByLook(found, filled, rows);
  if (!fixed.has('name')) takeHouseCodes(found);
  const quantity = found.get('quantity');
  if (!fixed.has('quantity') && quantity !== undefined && findVariants(filled).includes(quantity))
    found.delete('quantity');
  return orderRoles(found, columns, new Set([...fixed, ...said]));
}

function readRoles(
  found: Map<Meaning, Column>,
  filled: readonly Column[],
  rows: number,
  fixed: ReadonlySet<Meaning>,
): void {
  const pairs = rolesInPairs(filled);
  const named = found.get('number') ?? columnNumberingItems(filled);
  for (const column of filled) {
    const role = pairs.has(column) ? pairs.get(column) : readRole(column, rows, named);
    if (role === undefined || fixed.has(role)) continue;
    if (isBetter(column, found.get(role))) found.set(role, column);
  }
}

/** Where people describe the parts by another column, the one of descriptions still names them. */
function keepName(found: Map<Meaning, Column>, filled: readonly Column[]): void {
  const column = found.has('name') ? undefined : filled.find(({ header }) => roleNamed(header) === 'description');
  if (column !== undefined) found.set('name', column);
}

/** Whether a column is taken in place of one with the same name, which is before it. */
const isBetter = (column: Column, known: Column | undefined): boolean =>
  known === undefined ||
  known.filled < column.filled * 0.8 ||
  isOfOnePiece(column, known) ||
  isDescription(column, known) ||
  isExtended(column, known) ||
  isOfItems(column, known);

/** Whether a column has the cost of a piece, beside one that may have that of a line. */
const isOfOnePiece = ({ header }: Column, other: Column): boolean =>
  roleNamed(header) === 'cost' && OF_ONE.test(bareHeader(header)) && !OF_ONE.test(bareHeader(other.header));

/** What a part must be describes it less than a description does. */
const isDescription = ({ header }: Column, other: Column): boolean =>
  roleNamed(header) === 'description' && !isOfDemands(header) && isOfDemands(other.header);

/** Inventor multiplies "Item QTY" by "Unit QTY", such as 1250 mm, and calls the product "QTY". */
const isExtended = ({ header }: Column, other: Column): boolean =>
  bareHeader(header) === 'qty' && bareHeader(other.header) === 'item qty';

/** "Vendor No." is the number of the vendor, if "Vendor Item No." is there, too. */
const isOfItems = ({ header }: Column, other: Column): boolean =>
  /^(?:vendor|supplier) (?:no|num|number|id|code)$/.test(bareHeader(other.header)) &&
  /^(?:vendor|supplier) (?:item|part) /.test(bareHeader(header));
const OF_ONE = /\b(?:per|each|ea|unit|item|piece)\b/;

function columnsGiven(columns: readonly Column[], given: GivenMeanings): Map<Meaning, Column> {
  const found = new Map<Meaning, Column>();
  for (const column of columns) {
    const meaning = given[column.name] ?? 'none';
    if (meaning !== 'none') found.set(meaning, column);
  }
  return found;
}

/** Throws USAGE for a meaning of a column of no table, and for two columns of one table that have one meaning. */
export function checkMeanings(meanings: GivenMeanings, tables: readonly (readonly Column[])[]): void {
  const names = tables.map((columns) => columns.map(({ name }) => name));
  const known = names.flat();
  const unknown = Object.keys(meanings).find((name) => !known.includes(name));
  if (unknown === undefined) {
    for (const one of names) refuseSameMeanings(Object.entries(meanings).filter(([name]) => one.includes(name)));
    return;
  }
  const hint =
    nearestHint(unknown, known) ??
    `It has ${known
      .filter((name) => name !== '')
      .map(quoted)
      .join(', ')}.`;
  throw new DexsyncError('USAGE', `The table has no column "${unknown}".`, { hint });
}

function refuseSameMeanings(meanings: readonly (readonly [string, Meaning | 'none'])[]): void {
  const given = meanings.filter(([, meaning]) => meaning !== 'none' && !REPEATED.includes(meaning));
  for (const [name, meaning] of given) {
    const first = given.find(([, other]) => other === meaning)?.[0];
    if (first === name) continue;
    throw new DexsyncError('USAGE', `"${first}" and "${name}" cannot both have the meaning "${meaning}".`, {
      hint: 'Give the meaning to one of them, and `none` to the other one.',
    });
  }
}
