import { arePlaceCodes, type Column, matchingShare, type Roles } from './column.js';
import { bareHeader, HEADLESS, roleNamed } from './column-names.js';
import type { Meaning, Role } from './meanings.js';
import { areSomeDesignators, designatorShare, isSymbol } from './role-by-name.js';
import { areOfShop, shopShare } from './shops.js';
import { isOwnCode } from './unread-number.js';

/** Assigns roles to columns whose names say nothing. */
export function takeByLook(found: Map<Meaning, Column>, filled: readonly Column[], rows: number): void {
  for (const [role, isMeant] of BY_LOOK) {
    const left = filled.filter((column) => ![...found.values()].includes(column));
    const column = found.has(role) ? undefined : left.find((one) => isMeant(one, rows, found));
    if (column !== undefined) found.set(role, column);
  }
}

const UNIT =
  /^(?:st|stk|stck|szt|pc|pcs|pce|ea|each|un|u|set|pair|paar|roll|m|mm|cm|km|in|ft|m2|m²|qm|m3|m³|kg|g|mg|t|lb|l|ml|h)\.?$/i;

const OF_AMOUNT = /(?:price|cost|total|sum|amount|qty|quantity|preis|kosten|summe|prix|precio)s?$/;

/** Whether some of these parents, which have several rows each, are items of the list. */
function areParents({ header, type, values, distinct, filled }: Column, number: Column | undefined): boolean {
  const parents = [...(values?.keys() ?? [])];
  const known = parents.filter((value) => number?.values?.has(value)).length;
  const areAmounts = OF_AMOUNT.test(bareHeader(header)) || parents.some((value) => /^\d+[.,]\d+$/.test(value));
  // Integers may be anything.
  return distinct < filled && !areAmounts && known > 1 && (type !== 'integer' || known * 2 >= distinct);
}

const hasUnknownName = ({ header }: Column): boolean => roleNamed(header) === undefined;

const OF_DRAWING =
  /^(?:document|doc|drawing|dwg|zeichnungs?|plan|dessin|plano|rysunk?u?|tekening|disegno) ?(?:no|nr|num|number|nummer|id)$|^(?:no|nr|n|num|numer|numero) (?:de |del |di |du |d )?(?:rysunku|dessin|plan|plano|disegno|tekening)$/;

/** The number of a drawing is often that of its part; bought parts have none. */
const isOfDrawing = ({ header, filled, distinct, longest }: Column): boolean =>
  OF_DRAWING.test(bareHeader(header)) && distinct >= filled * 0.8 && filled > 1 && longest < 40;

/** Roles of columns whose dots are decimal points. */
const NO_PATHS: ReadonlySet<Role | undefined> = new Set(['quantity', 'cost', 'value']);

/** Roles of columns that have none by their names, in this order. */
const BY_LOOK: readonly (readonly [Meaning, (column: Column, rows: number, found: Roles) => boolean])[] = [
  ['refDes', (one, _, found) => isSymbol(one.header) && isOfCircuit(found) && areSomeDesignators(one)],
  ['name', ({ header }, _, found) => isSymbol(header) && !found.has('description')],
  // The designators are in another column.
  ['name', (one, rows, found) => bareHeader(one.header) === 'parts' && found.has('refDes') && one.filled === rows],
  // As gEDA writes it.
  ['name', ({ header }) => header.trim() === '..device'],
  ['path', ({ arePaths, header }) => arePaths && !NO_PATHS.has(roleNamed(header))],
  ['refDes', (one) => hasUnknownName(one) && one.areDesignatorsByLook && one.distinct >= one.filled * 0.75],
  [
    'refDes',
    (one, _, found) => bareHeader(one.header) === 'parts' && (isOfCircuit(found) || designatorShare(one) > 0.5),
  ],
  ['uom', (one) => hasUnknownName(one) && matchingShare(one, UNIT) > 0.9],
  ['supplier', (one) => hasUnknownName(one) && shopShare(one) >= 0.5],
  ['manufacturer', (one) => hasUnknownName(one) && one.areMakers && bareHeader(one.header) !== 'library'],
  ['parent', (one, _, found) => hasUnknownName(one) && !found.has('refDes') && areParents(one, found.get('number'))],
  ['lineNumber', (one) => hasUnknownName(one) && one.isSequence],
  ['supplierPartNumber', (one) => hasUnknownName(one) && areOfShop(one)],
  ['package', (one) => hasUnknownName(one) && matchingShare(one, PACKAGE) > 0.8],
  ['quantity', (one, rows) => hasUnknownName(one) && isPieces(one, rows)],
  ['number', (one) => hasUnknownName(one) && (isOwnCode(one) || isOfDrawing(one))],
  ['name', (one, rows, found) => isNaming(one, rows) && !found.has('description') && !areNames(found.get('number'))],
  ['name', (one, rows, found) => isOnlyText(one, rows) && !NAMING.some((role) => found.has(role))],
  [
    'value',
    (one, rows, found) =>
      isBesideDesignators(one, rows) && NAMING.every((role) => found.has(role) === (role === 'refDes')),
  ],
];

const isOfCircuit = (found: Roles): boolean => found.has('value') && found.has('package');

/** Sizes of chips and names of packages. */
const PACKAGE =
  /^(?:[a-z]+[ _-]?)?(?:01005|0201|0402|0603|0805|1206|1210|1812|2010|2512|(?:sot|soic|so|sop|ssop|tssop|msop|qfn|dfn|qfp|lqfp|tqfp|bga|dip|to|sma|smb|smc|sod|melf)[ _-]?\d*\S*)$/i;

const NAMING: readonly Meaning[] = ['refDes', 'number', 'mpn', 'name', 'description', 'value', 'supplierPartNumber'];

/** Whether a column has a text in each row, as the names of a list without headers, or with an unknown one. */
function isOnlyText(column: Column, rows: number): boolean {
  const { header, distinct } = column;
  const areWords = HEADLESS.test(header) || (hasUnknownName(column) && matchingShare(column, /^\p{L}{3,}/u) > 0.7);
  return areWords && isFullText(column, rows) && distinct * 2 > rows && !arePlaceCodes(column);
}

/** Whether a column without a header says what the parts are whose designators are the only other thing known of them. */
const isBesideDesignators = (column: Column, rows: number): boolean =>
  HEADLESS.test(column.header) && isFullText(column, rows);

const isFullText = ({ type, filled, areAddresses }: Column, rows: number): boolean =>
  type === 'text' && filled === rows && !areAddresses;

/** Whether numbers are words, as names are. */
const areNames = (numbers: Column | undefined): boolean =>
  numbers !== undefined && matchingShare(numbers, /\p{L}{3,}\s+\S*\p{L}/u) > 0.3;

/** Whether a column without a known header has another text of words in each row. */
function isNaming(column: Column, rows: number): boolean {
  const { header, distinct, longest } = column;
  const isUnknown = HEADLESS.test(header) || (hasUnknownName(column) && !OF_REMARKS.test(bareHeader(header)));
  return (
    isUnknown &&
    isFullText(column, rows) &&
    distinct >= rows * 0.9 &&
    rows > 3 &&
    longest <= LONGEST_NAME &&
    matchingShare(column, /\p{L}{3,}/u) > 0.8 &&
    matchingShare(column, /\S \S/) > 0.3
  );
}
const LONGEST_NAME = 120;
const OF_REMARKS =
  /\b(?:reason|status|availability|remark|note|comment|function|funcao|funcion|fonction|funktion|funzione|purpose|zweck|uso|use|used|usage|link|url|location|alternat\w*|check|source|spec\w*|detail\w*|reference|footprint|library|sheet|file)s?\b/;

/** Whether a column without a header has quantities: where it has one that is unknown, its numbers may be anything. */
const isPieces = ({ header, type, filled, distinct, isSequence }: Column, rows: number): boolean =>
  HEADLESS.test(header) && type === 'integer' && filled === rows && distinct < rows && !isSequence;
