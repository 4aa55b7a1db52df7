import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { quoted } from '#base/printable.js';
import { type Column, type Roles, shareOf } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { type GivenMeanings, type Meaning, REPEATED, type Role } from './meanings.js';
import { orderRoles } from './order-list.js';
import { areOfShop } from './shops.js';
import { areHouseCodes, isOwnCode } from './unread-number.js';

/**
 * Assigns roles to columns: those that people gave them; others by name, corrected by the cells; by the cells alone if the
 * name says nothing.
 */
export function assignRoles(columns: readonly Column[], rows: number, given: GivenMeanings = {}): Roles {
  const filled = columns.filter(({ filled: count, name }) => count > 0 && name !== '' && given[name] === undefined);
  const found = columnsGiven(columns, given);
  const fixed = new Set(found.keys());
  const named = found.get('number') ?? columnNumberingItems(filled);
  for (const column of filled) {
    const role = roleOf(column, rows, named);
    if (role === undefined || fixed.has(role)) continue;
    if (isBetter(column, found.get(role))) found.set(role, column);
  }
  for (const [role, correct] of TOGETHER) if (!fixed.has(role)) correct(found, rows);
  takeByLook(found, filled, rows);
  if (!fixed.has('name')) takeHouseCodes(found);
  return orderRoles(found, columns, fixed);
}

/** Assigns roles to columns whose names say nothing. */
function takeByLook(found: Map<Meaning, Column>, filled: readonly Column[], rows: number): void {
  for (const [role, isMeant] of BY_LOOK) {
    const left = filled.filter((column) => ![...found.values()].includes(column));
    const column = found.has(role) ? undefined : left.find((one) => isMeant(one, rows, found));
    if (column !== undefined) found.set(role, column);
  }
}

/** Whether a column is taken in place of one with the same name, which is before it. */
const isBetter = (column: Column, known: Column | undefined): boolean =>
  known === undefined || known.filled < column.filled * 0.8 || isOfOnePiece(column, known) || isExtended(column, known);

/** Whether a column has the cost of a piece, beside one that may have that of a line. */
const isOfOnePiece = ({ header }: Column, other: Column): boolean =>
  roleNamed(header) === 'cost' && OF_ONE.test(bareHeader(header)) && !OF_ONE.test(bareHeader(other.header));

/** Inventor multiplies "Item QTY" by "Unit QTY", such as 1250 mm, and calls the product "QTY". */
const isExtended = ({ header }: Column, other: Column): boolean =>
  bareHeader(header) === 'qty' && bareHeader(other.header) === 'item qty';
const OF_ONE = /\b(?:per|each|ea|unit|item|piece)\b/;

/** Names that are codes number the items that a description names. */
function takeHouseCodes(found: Map<Meaning, Column>): void {
  const name = found.get('name');
  if (name === undefined || found.has('number') || !found.has('description') || !areHouseCodes(name)) return;
  found.delete('name');
  found.set('number', name);
}

/** The column whose name says that it numbers the items. */
function columnNumberingItems(columns: readonly Column[]): Column | undefined {
  const named = columns.filter(isNumberByName);
  return (
    named.find(({ header }) => !isSymbol(header)) ?? named[0] ?? columns.find((column) => isDescribed(column, columns))
  );
}

const UNIT =
  /^(?:st|stk|stck|szt|pc|pcs|pce|ea|each|un|u|set|pair|paar|roll|m|mm|cm|km|in|ft|m2|m²|qm|m3|m³|kg|g|mg|t|lb|l|ml|h)\.?$/i;

/** Whether some of the items are numbers of these parents, which have several rows each. */
const areParents = ({ values, distinct, filled }: Column, number: Column | undefined): boolean =>
  distinct < filled && [...(values?.keys() ?? [])].filter((value) => number?.values?.has(value)).length > 1;

const hasUnknownName = ({ header }: Column): boolean => roleNamed(header) === undefined;

const OF_DRAWING =
  /^(?:document|doc|drawing|dwg|zeichnungs?|plan|dessin|plano|rysunk?u?|tekening|disegno) ?(?:no|nr|num|number|nummer|id)$|^(?:no|nr|n|num|numer|numero) (?:de |del |di |du |d )?(?:rysunku|dessin|plan|plano|disegno|tekening)$/;

/** The number of a drawing is often that of its part; bought parts have none. */
const isOfDrawing = ({ header, filled, distinct, longest }: Column): boolean =>
  OF_DRAWING.test(bareHeader(header)) && distinct >= filled * 0.8 && filled > 1 && longest < 40;

/** Roles of columns that have none by their names, in this order. */
const BY_LOOK: readonly (readonly [Meaning, (column: Column, rows: number, found: Roles) => boolean])[] = [
  ['name', ({ header }, _, found) => isSymbol(header) && !found.has('description')],
  ['path', ({ arePaths, header }) => arePaths && !NO_PATHS.has(roleNamed(header))],
  ['refDes', (one) => hasUnknownName(one) && one.areDesignatorsByLook && one.distinct >= one.filled * 0.9],
  ['uom', (one) => hasUnknownName(one) && shareOf(one, UNIT) > 0.9],
  ['manufacturer', (one) => hasUnknownName(one) && one.areMakers && bareHeader(one.header) !== 'library'],
  ['parent', (one, _, found) => hasUnknownName(one) && areParents(one, found.get('number'))],
  ['lineNumber', (one) => hasUnknownName(one) && one.isSequence],
  ['quantity', (one, rows) => hasUnknownName(one) && isPieces(one, rows)],
  ['number', (one) => hasUnknownName(one) && (isOwnCode(one) || isOfDrawing(one))],
  ['name', (one, rows, found) => isOnlyText(one, rows) && !NAMING.some((role) => found.has(role))],
];

const NAMING: readonly Meaning[] = ['refDes', 'number', 'mpn', 'name', 'description', 'value', 'supplierPartNumber'];

/** Whether a column without a header has a text in each row, as the names of a list without headers. */
const isOnlyText = ({ header, type, filled, distinct, areAddresses }: Column, rows: number): boolean =>
  HEADLESS.test(header) && type === 'text' && filled === rows && distinct * 2 > rows && !areAddresses;
const HEADLESS = /^[A-Z]{1,2}$/;

/** Whether a column without a header has quantities: where it has one that is unknown, its numbers may be anything. */
const isPieces = ({ header, type, filled, distinct, isSequence }: Column, rows: number): boolean =>
  HEADLESS.test(header) && type === 'integer' && filled === rows && distinct < rows && !isSequence;

function columnsGiven(columns: readonly Column[], given: GivenMeanings): Map<Meaning, Column> {
  const found = new Map<Meaning, Column>();
  for (const column of columns) {
    const meaning = given[column.name] ?? 'none';
    if (meaning !== 'none') found.set(meaning, column);
  }
  return found;
}

/** Throws USAGE for a meaning of a column that is not there, and for two columns that have one meaning. */
export function checkMeanings(meanings: GivenMeanings, columns: readonly Column[]): void {
  const known = columns.map(({ name }) => name);
  const unknown = Object.keys(meanings).find((name) => !known.includes(name));
  if (unknown === undefined) {
    refuseSameMeanings(meanings);
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

function refuseSameMeanings(meanings: GivenMeanings): void {
  const given = Object.entries(meanings).filter(([, meaning]) => meaning !== 'none' && !REPEATED.includes(meaning));
  for (const [name, meaning] of given) {
    const first = given.find(([, other]) => other === meaning)?.[0];
    if (first === name) continue;
    throw new DexsyncError('USAGE', `"${first}" and "${name}" cannot both have the meaning "${meaning}".`, {
      hint: 'Give the meaning to one of them, and `none` to the other one.',
    });
  }
}

/** The column with the names of the parents: "Assembly Description" beside "Assembly Number". */
export function parentNames(columns: readonly Column[], roles: Roles): Column | undefined {
  const parent = roles.get('parent');
  if (parent === undefined) return undefined;
  const base = bareHeader(parent.header).replace(/ (?:no|nr|num|number|id|p n|code)$/, '');
  const isName = (header: string): boolean => {
    const bare = bareHeader(header);
    return (
      bare.startsWith(`${base} `) && ['name', 'description'].includes(roleNamed(bare.slice(base.length + 1)) ?? '')
    );
  };
  return columns.find((column) => column !== parent && isName(column.header));
}

/** Circuit editors put the value of a part into a column of comments, beside its designators. */
function takeComments(found: Map<Meaning, Column>): void {
  const comments = found.get('notes');
  if (comments === undefined || !found.has('refDes') || found.has('value')) return;
  if (!/^comments?$/.test(bareHeader(comments.header))) return;
  found.delete('notes');
  found.set('value', comments);
}

/** In a list of bought parts, numbers that different parts share, or that many lack, are those of the suppliers. */
function takeShopNumbers(found: Map<Meaning, Column>, rows: number): void {
  const [number, supplier] = [found.get('number'), found.get('supplier')];
  const name = found.get('name') ?? found.get('description');
  if (number === undefined || supplier === undefined || found.has('supplierPartNumber') || name?.filled !== rows)
    return;
  const areShared = number.distinct < number.filled && name.distinct === rows && supplier.filled >= rows * 0.8;
  const areSome = number.filled < rows * 0.8 && !found.has('manufacturer');
  if (!areShared && !areSome) return;
  found.delete('number');
  found.set('supplierPartNumber', number);
}

/** Types that nearly each row has another of describe the parts. */
function takeTypes(found: Map<Meaning, Column>): void {
  const types = found.get('category');
  if (types === undefined || found.has('description') || types.filled < 4) return;
  if (types.distinct < types.filled * 0.8) return;
  found.delete('category');
  found.set('description', types);
}

/** Corrections of roles by those of other columns. */
const TOGETHER: readonly (readonly [Role, (found: Map<Meaning, Column>, rows: number) => void])[] = [
  ['notes', takeComments],
  ['category', takeTypes],
  ['number', takeShopNumbers],
];

/** Roles of columns whose dots are decimal points. */
const NO_PATHS: ReadonlySet<Role | undefined> = new Set(['quantity', 'cost', 'value']);

const MAY_BE_LINE = /^(?:items?|pos|position|id|no|nr|num|component|index|(?:item|pos|position) (?:no|nr|num|number))$/;

/** Circuit editors put the name of a symbol or the designators into such a column. */
const isSymbol = (header: string): boolean => /^(?:part|teil)$/.test(bareHeader(header));

/** A text that begins with a word. */
const WORDS = /^\p{L}{3,}(?:[\s,]|$)/u;

/** Whether cells have several words, as names have and numbers have not. */
const areWords = (samples: readonly string[]): boolean =>
  samples.length > 1 && samples.every((sample) => /\p{L}{3,}.*\s\p{L}{2,}/u.test(sample));

const isNumberByName = (column: Column): boolean => {
  const { header, key, areDesignators, isSequence } = column;
  return (
    roleNamed(header) === 'number' &&
    !isSequence &&
    !isNumberOf(column) &&
    !areOfShop(column) &&
    (!isSymbol(header) || (key === 'likely' && !areDesignators))
  );
};

/** Whether a column with the header "Number" has the number of pieces. */
const isNumberOf = (column: Column): boolean =>
  /^(?:number|nummer|numero|num)$/.test(bareHeader(column.header)) &&
  shareOf(column, /^[1-9]\d{0,2}(?:\s?\p{L}+)?$/u) > 0.7 &&
  column.distinct * 2 <= column.filled;

/** Things that have a number in lists that describe them, too: "Material" beside "Material Description". */
const MAY_BE_DESCRIBED =
  /^(?:material|component|komponente|article|artikel|articulo|artykul|articolo|object|objekt|composant|componente|product|produkt)$/;

function isDescribed({ header, isSequence, arePaths }: Column, columns: readonly Column[]): boolean {
  const bare = bareHeader(header);
  const describes = (other: string): boolean => {
    const names = bareHeader(other).startsWith(bare) || bareHeader(other).endsWith(` ${bare}`);
    return other !== header && names && ['description', 'name'].includes(roleNamed(other) ?? '');
  };
  return !isSequence && !arePaths && MAY_BE_DESCRIBED.test(bare) && columns.some((one) => describes(one.header));
}

/** References that are just as often part numbers. */
const MAY_BE_NUMBER = /^(?:ref|reference|referenz|referencia|referentie|riferimento)$/;

/** `taken`: another column numbers the items by its name. */
type NumberRole = 'free' | 'taken';

type Correction = (column: Column, bare: string, rows: number, number: NumberRole) => Role | undefined;

/** Corrections of ambiguous names by the cells. */
const CORRECTIONS: Partial<Record<Role, Correction>> = {
  lineNumber: ({ isSequence, arePaths, type, key, filled, distinct, samples }, bare, rows, number) => {
    if (arePaths) return undefined;
    if (isSequence) return 'lineNumber';
    if (bare === 'component' && distinct < filled * 0.8) return 'name';
    if (MAY_BE_LINE.test(bare) && areWords(samples)) return 'name';
    const isNumber = key === 'likely' || (type === 'text' && /(?: (?:no|nr|num|number)|^component)$/.test(bare));
    if (MAY_BE_LINE.test(bare) && isNumber && number === 'free') return 'number';
    return type === 'integer' && filled <= rows ? 'lineNumber' : undefined;
  },
  number: (column, bare, _, number) => {
    if (isSymbol(bare) && column.areDesignators) return 'refDes';
    if (isSymbol(bare) && (column.key === 'no' || number === 'taken')) return undefined;
    if (isNumberOf(column)) return 'quantity';
    if (areOfShop(column)) return 'supplierPartNumber';
    return column.isSequence ? 'lineNumber' : 'number';
  },
  name: (column, bare) => {
    if (bare === 'nombre' && column.type === 'integer') return 'quantity';
    return bare === 'artikel' && shareOf(column, WORDS) < 0.5 ? undefined : 'name';
  },
  supplier: ({ type }) => (type === 'integer' ? undefined : 'supplier'),
  supplierPartNumber: ({ areAddresses, decimal, numbers }) =>
    areAddresses || (numbers !== undefined && decimal !== undefined) ? undefined : 'supplierPartNumber',
  level: ({ areLevels }) => (areLevels ? 'level' : undefined),
  uom: (column) => {
    if (shareOf(column, /\d/) <= 0.5) return 'uom';
    return shareOf(column, /[€$£¥]/) > 0.5 ? 'cost' : 'quantity';
  },
  cost: ({ notNumbers }) => (notNumbers === 0 ? 'cost' : undefined),
  refDes: ({ areDesignators, areDesignatorsByLook, arePaths, distinct, filled }, bare, _, number) => {
    if (arePaths) return undefined;
    if (MAY_BE_NUMBER.test(bare) && !areDesignatorsByLook && number === 'free') return 'number';
    return !areDesignators && (bare === 'location' || distinct < filled * 0.8) ? undefined : 'refDes';
  },
};

/** Role by the name, unless the cells contradict it. `named`: the column that numbers the items by its name. */
function roleOf(column: Column, rows: number, named: Column | undefined): Role | undefined {
  const role = column === named ? 'number' : roleNamed(column.header);
  const correct = role === undefined ? undefined : CORRECTIONS[role];
  const number = named === undefined || column === named ? 'free' : 'taken';
  return correct === undefined ? role : correct(column, bareHeader(column.header), rows, number);
}
