import { type Column, MONEY, matchingShare } from './column.js';
import { BEHIND_SHOP } from './column-facts.js';
import { bareHeader, roleNamed } from './column-names.js';
import { MOST_TEXTS } from './count-numbers.js';
import type { Role } from './meanings.js';
import { areOfShop, shopShare } from './shops.js';
import { CODE } from './unread-number.js';

const MAY_BE_LINE = /^(?:items?|pos|position|id|no|nr|num|component|index|(?:item|pos|position) (?:no|nr|num|number))$/;

/** Circuit editors put the name of a symbol or the designators into such a column. */
export const isSymbol = (header: string): boolean => /^(?:part|teil)$/.test(bareHeader(header));

/** A text that begins with a word. */
const WORDS = /^\p{L}{3,}(?:[\s,]|$)/u;

/** Several words, as names have and numbers have not. */
export const SEVERAL_WORDS = /\p{L}{3,}.*\s\p{L}{2,}/u;

const areWords = (samples: readonly string[]): boolean =>
  samples.length > 1 && samples.every((sample) => SEVERAL_WORDS.test(sample));

/** The column whose name says that it numbers the items. */
export function columnNumberingItems(columns: readonly Column[]): Column | undefined {
  const named = columns.filter(
    (column) => isNumberByName(column) && !(isSymbol(column.header) && isBesideSymbols(column, columns)),
  );
  return (
    named.find(({ header }) => !isSymbol(header)) ?? named[0] ?? columns.find((column) => isDescribed(column, columns))
  );
}

/** Whether a list has makers' numbers, or values and packages beside what looks like designators. */
function isBesideSymbols(column: Column, columns: readonly Column[]): boolean {
  const roles = columns.map(({ header }) => roleNamed(header));
  const isOfCircuit = roles.includes('value') && roles.includes('package');
  return roles.includes('mpn') || (isOfCircuit && areSomeDesignators(column));
}

/** EAGLE calls them parts, and lets people name them as they like. */
const DESIGNATORS = /^[A-Z]{1,4}\$?\d+(?:[\s,;/]+[A-Z]{1,4}\$?\d+)*$/i;
export const designatorShare = (column: Column): number => matchingShare(column, DESIGNATORS);
export const areSomeDesignators = (column: Column): boolean => designatorShare(column) >= 0.3;

const isNumberByName = (column: Column): boolean => {
  const { header, key, areDesignators, isSequence } = column;
  return (
    roleNamed(header) === 'number' &&
    !isSequence &&
    !isNumberOf(column) &&
    !areOfShop(column) &&
    column.divider !== BEHIND_SHOP &&
    !isUse(column) &&
    !areListed(column) &&
    (!isSymbol(header) || (key === 'likely' && !areDesignators))
  );
};

/** Whether cells have several designators, as no number of a part has. */
const areListed = ({ areDesignatorsByLook, samples }: Column): boolean =>
  areDesignatorsByLook && samples.some((sample) => /^[A-Z]{1,4}_?\d+\s*[,;]\s*[A-Z]{1,4}_?\d/i.test(sample));

/** Whether customers say in their own number what a part is for, as in orders at shops. */
const isUse = (column: Column): boolean =>
  /^customer /.test(bareHeader(column.header)) && matchingShare(column, /[\s,]/) >= 0.2;

/** Whether a column with the header "Number" has the number of pieces. */
const isNumberOf = (column: Column): boolean =>
  /^(?:number|nummer|numero|num)$/.test(bareHeader(column.header)) &&
  matchingShare(column, /^[1-9]\d{0,2}(?:\s?\p{L}+)?$/u) > 0.7 &&
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
export const MAY_BE_NUMBER =
  /^(?:ref|reference|referenz|referencia|referentie|riferimento|rif|обозначение|позначення|oznaczenie|oznaceni)$/;

/** That a part is in the assembly, or that it is not. */
const FIT_OR_NOT =
  /^(?:y|yes|n|no|none|x|j|ja|nein|o|oui|non|s|s[ií]|t|tak|nie|nee|true|false|[01-]|.*(?:fit|popul|plac|mount|install|assembl|best(?:ü|ue)ck).*)$/i;

/** `this`: the column numbers the items by its name; `taken`: another one does. */
type NumberRole = 'free' | 'this' | 'taken';

/** Whether cells repeat a few short names, as those of suppliers do; "Make" and "Buy" are sources, too. */
const areFewNames = (column: Column): boolean =>
  column.distinct > 1 &&
  column.distinct * 2 <= column.filled &&
  matchingShare(column, /^\p{L}[\p{L}\d&.' -]{1,24}$/u) > 0.9 &&
  matchingShare(
    column,
    /^(?:make|made|buy|bought|purchased?|stock|internal|external|phantom|in ?-?house|print(?:ed)?)$/i,
  ) === 0;

type Correction = (column: Column, bare: string, rows: number, number: NumberRole) => Role | undefined;

/** Whether few cells of a column are texts, such as "on request": they are not read. */
const areMostlyNumbers = ({ numbers, notNumbers, filled }: Column): boolean =>
  numbers !== undefined && notNumbers <= filled * MOST_TEXTS;

/** What a column has whose header may be that of positions: names, small integers, or numbers of items. */
function inPlaceOfLine(column: Column, bare: string, rows: number, number: NumberRole): Role | undefined {
  const { samples, type, longest, key } = column;
  if (areWords(samples) || matchingShare(column, WORDS) > 0.9) return 'name';
  if (type === 'integer' && longest <= `${rows * 2}`.length) return 'lineNumber';
  const isCode = bare === 'no' && matchingShare(column, CODE) > 0.7;
  const isNumber =
    key === 'likely' || isCode || (type === 'text' && /(?: (?:no|nr|num|number)|^component)$/.test(bare));
  return isNumber && number !== 'taken' ? 'number' : undefined;
}

/** Corrections of ambiguous names by the cells. */
const CORRECTIONS: Partial<Record<Role, Correction>> = {
  lineNumber: (column, bare, rows, number) => {
    if (column.arePaths) return undefined;
    if (column.areDesignatorsByLook) return 'refDes';
    if (column.isSequence) return 'lineNumber';
    if (bare === 'component' && column.distinct < column.filled * 0.8) return 'name';
    const other = MAY_BE_LINE.test(bare) ? inPlaceOfLine(column, bare, rows, number) : undefined;
    return other ?? (column.type === 'integer' && column.filled <= rows ? 'lineNumber' : undefined);
  },
  number: (column, bare, _, number) => {
    if ((isSymbol(bare) && column.areDesignators) || areListed(column)) return 'refDes';
    if (isSymbol(bare) && number !== 'this') return undefined;
    if (isNumberOf(column)) return 'quantity';
    if (areOfShop(column) || column.divider === BEHIND_SHOP) return 'supplierPartNumber';
    if (isUse(column)) return undefined;
    return column.isSequence ? 'lineNumber' : 'number';
  },
  mpn: (column) => (areOfShop(column) ? 'supplierPartNumber' : 'mpn'),
  description: (column) => (areOfShop(column) ? 'supplierPartNumber' : 'description'),
  name: (column, bare) => {
    if (bare === 'nombre' && column.type === 'integer') return 'quantity';
    if (column.areDesignatorsByLook && column.distinct === column.filled) return 'refDes';
    return /^(?:artikel|article|komponent|bauteil|bauelement|onderdeel|soucast(?:ka)?|alkatresz)$/.test(bare) &&
      matchingShare(column, WORDS) < 0.5
      ? undefined
      : 'name';
  },
  // "SMT" and "THT" are ways to mount a part.
  fitted: ({ values, unfitted }) =>
    unfitted.size > 0 || values === undefined || [...values.keys()].some((value) => FIT_OR_NOT.test(value))
      ? 'fitted'
      : undefined,
  supplier: (column, bare) => {
    const isOther = bare === 'source' && shopShare(column) === 0 && !areFewNames(column);
    return column.type === 'integer' || column.areAddresses || isOther ? undefined : 'supplier';
  },
  supplierPartNumber: ({ areAddresses, decimal, numbers }) =>
    areAddresses || (numbers !== undefined && decimal !== undefined) ? undefined : 'supplierPartNumber',
  level: ({ areLevels }) => (areLevels ? 'level' : undefined),
  quantity: ({ type, numbers }, bare) =>
    /required|needed|req d|reqd|benotigt/.test(bare) && type === 'text' && numbers === undefined
      ? undefined
      : 'quantity',
  uom: (column) => {
    if (matchingShare(column, /\d/) <= 0.5) return 'uom';
    return matchingShare(column, MONEY) > 0.5 ? 'cost' : 'quantity';
  },
  // "0182" is a price whose decimal mark is lost.
  cost: (column) =>
    (column.notNumbers === 0 || column.marks === 'both' || areMostlyNumbers(column)) &&
    column.placeholders.size < column.distinct &&
    matchingShare(column, /^0\d|\d\s*\/\s*\p{L}/u) === 0
      ? 'cost'
      : undefined,
  refDes: (
    { areDesignators, areDesignatorsByLook, arePaths, isSequence, distinct, filled, samples },
    bare,
    _,
    number,
  ) => {
    if (arePaths) return undefined;
    if (isSequence) return 'lineNumber';
    if (MAY_BE_NUMBER.test(bare) && !areDesignatorsByLook && number !== 'taken') return 'number';
    if (areDesignators) return 'refDes';
    if (/\blocation\b/.test(bare)) return undefined;
    if (areWords(samples)) return 'name';
    return distinct < filled * 0.8 ? undefined : 'refDes';
  },
};

/** Role by the name, unless the cells contradict it. `named`: the column that numbers the items by its name. */
export function readRole(column: Column, rows: number, named: Column | undefined): Role | undefined {
  const role = column === named ? 'number' : roleNamed(column.header);
  const correct = role === undefined ? undefined : CORRECTIONS[role];
  const other = named === undefined ? 'free' : 'taken';
  const number = column === named ? 'this' : other;
  return correct === undefined ? role : correct(column, bareHeader(column.header), rows, number);
}
