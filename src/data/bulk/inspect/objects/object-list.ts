import type { RowSource } from '#core/jobs/source.js';
import type { Column } from '../column.js';
import { bareHeader, roleNamed } from '../column-names.js';
import { type GivenMeanings, type Meaning, REPEATED, type Role } from '../meanings.js';
import { isGroupColumn } from './group-fields.js';
import { type ObjectWord, objectWord } from './object-words.js';

/** A list whose rows are objects that imports have no resource for, and what its columns mean, by name. */
export interface ObjectList {
  readonly of: 'Supplier' | 'UserGroup';
  /** `matrix`: a column for each group marks its members; otherwise each row names its object. */
  readonly is: 'rows' | 'matrix';
  readonly meanings: ReadonlyMap<string, Meaning>;
}

/** A list that was recognised, where it is and how it is read. */
export interface RecognisedList {
  readonly path: string;
  readonly source: RowSource;
  readonly columns: readonly Column[];
  readonly list: ObjectList;
}

type Word = ObjectWord | 'description';
/** Columns by what their headers say, the first of each first. */
type Words = ReadonlyMap<Column, Word>;

/** What a list of parts has, and none of suppliers or people. */
const OF_PARTS: ReadonlySet<Role | undefined> = new Set([
  ...(['number', 'mpn', 'supplierPartNumber', 'quantity', 'refDes', 'placement', 'cost', 'level', 'parent'] as const),
  ...(['uom', 'value', 'package', 'substitute', 'unfitted', 'fitted', 'revision'] as const),
]);
const THING = /^(?:items?|component|part)$/;
/** Numbers of anything. */
const ANY_NUMBER = /^(?:codigo|kod|codice|code|number|nummer|numer|numero|no|nr|id)$/;

/**
 * Recognises a list of suppliers by the name of a supplier with its address or how to reach it, and a list of people by
 * an e-mail address or both names with a group. A column that only lists of parts have decides against both.
 */
export function objectListIn(columns: readonly Column[], given: GivenMeanings = {}): ObjectList | undefined {
  // A reference ends with a brace.
  const filled = columns.filter(({ filled: count, name }) => count > 0 && name !== '' && !/[{}]/.test(name));
  const words: Words = new Map(
    filled.flatMap((column) => {
      const word = wordOf(column, given[column.name]);
      return word === undefined ? [] : [[column, word] as const];
    }),
  );
  if (columns.some((column) => isOfParts(column, words, given))) return undefined;
  return supplierList(words) ?? groupMatrix(words, filled) ?? peopleList(words);
}

const EMAIL = /^\S+@\S+\.\S+$/;

function wordOf({ header, samples, areAddresses }: Column, given: GivenMeanings[string] | undefined): Word | undefined {
  if (given !== undefined) return given === 'none' ? undefined : WORD_OF[given];
  const word = objectWord(bareHeader(header));
  if (samples.every((sample) => EMAIL.test(sample))) return 'email';
  if (word === 'email') return undefined;
  if (word === 'addressLabel' && areAddresses) return 'website';
  if (word !== undefined) return word;
  const role = roleNamed(header);
  return role === 'description' || role === 'notes' ? 'description' : undefined;
}

function isOfParts(column: Column, words: Words, given: GivenMeanings): boolean {
  const { header, name, filled } = column;
  const meaning = given[name];
  if (meaning !== undefined) return OF_PARTS.has(meaning as Role);
  const bare = bareHeader(header);
  const isOfAny = words.has(column) || ANY_NUMBER.test(bare);
  return filled > 0 && !isOfAny && (OF_PARTS.has(roleNamed(header)) || THING.test(bare));
}

const PLACE: readonly Word[] = ['address', 'address1', 'street', 'city', 'postalCode'];
const CONTACT: readonly Word[] = ['phone', 'mobile', 'fax', 'email', 'contact'];
const OTHER: readonly Word[] = ['supplierId', 'accountNumber', 'website', 'approvalStatus'];

const columnsOf = (words: Words, ...some: readonly Word[]): Column[] =>
  [...words].flatMap(([column, word]) => (some.includes(word) ? [column] : []));

function supplierList(words: Words): ObjectList | undefined {
  const { supplier, id } = namesOf(words);
  if (supplier === undefined) return undefined;
  const [place, contact, other] = [PLACE, CONTACT, OTHER].map((some) => columnsOf(words, ...some).length) as [
    number,
    number,
    number,
  ];
  const isNamed = words.get(supplier) === 'supplier';
  const isPeople = columnsOf(words, 'firstName', 'lastName', 'group', 'department').length > 1;
  const isPlaced = place > 1 || (place > 0 && contact + other > 0);
  const isReached = isNamed && contact > 0 && other > 0 && columnsOf(words, 'person').length === 0;
  if (!(isPlaced || isReached) || (isPeople && !isNamed)) return undefined;
  const found = new Map(words);
  if (id !== undefined) found.set(id, 'supplierId');
  found.set(supplier, 'supplier');
  return { of: 'Supplier', is: 'rows', meanings: meaningsOf(found, supplierMeaning(found)) };
}

/** The column that names the suppliers: a number under that header belongs to the name beside it. */
function namesOf(words: Words): { supplier?: Column | undefined; id?: Column } {
  const [named] = columnsOf(words, 'supplier');
  const [company] = columnsOf(words, 'company');
  const [name] = columnsOf(words, 'person');
  const other = company ?? name;
  if (named?.type === 'integer' && other !== undefined) return { supplier: other, id: named };
  const isOfSuppliers = columnsOf(words, 'supplierId').length > 0;
  return { supplier: named ?? company ?? (isOfSuppliers ? name : undefined) };
}

type MeaningOf = (word: Word, column: Column) => Meaning | undefined;

function meaningsOf(words: Words, meaningOf: MeaningOf): Map<string, Meaning> {
  const found = new Map<string, Meaning>();
  for (const [column, word] of words) {
    const meaning = meaningOf(word, column);
    if (meaning === undefined || (!REPEATED.includes(meaning) && [...found.values()].includes(meaning))) continue;
    found.set(column.name, meaning);
  }
  return found;
}

/** An address is a label beside a street; a location is one beside a city; a number belongs to the street before it. */
function supplierMeaning(words: Words): MeaningOf {
  const [street] = columnsOf(words, 'street', 'address1');
  const [city] = columnsOf(words, 'city');
  const others: Partial<Record<Word, Meaning>> = {
    street: 'address1',
    address: street === undefined ? 'address1' : 'addressLabel',
    location: city === undefined ? 'city' : 'addressLabel',
  };
  const isOfStreet = ({ index }: Column): boolean => street !== undefined && index === street.index + 1;
  return (word, column) => {
    if (word === 'houseNumber') return isOfStreet(column) ? word : undefined;
    return others[word] ?? SUPPLIER.find((meaning) => meaning === word);
  };
}

const SUPPLIER = [
  ...(['supplier', 'description', 'supplierId', 'accountNumber', 'website', 'approvalStatus'] as const),
  ...(['addressLabel', 'address1', 'address2', 'city', 'state', 'province', 'postalCode', 'country'] as const),
  ...(['primary', 'phone', 'mobile', 'fax', 'extension'] as const),
];

function peopleList(words: Words): ObjectList | undefined {
  const [group] = (['group', 'team', 'department', 'role'] as const).flatMap((word) => columnsOf(words, word));
  const [email] = columnsOf(words, 'email');
  const [first] = columnsOf(words, 'firstName');
  const [last] = columnsOf(words, 'lastName');
  const [name] = columnsOf(words, 'person');
  const isNamed = [first, last, name].filter((column) => column !== undefined).length > 1;
  const isOfSuppliers = columnsOf(words, 'supplier').length > 0 || columnsOf(words, ...PLACE).length > 1;
  if (group === undefined || isOfSuppliers || (email === undefined && !isNamed)) return undefined;
  const both = { firstName: first ?? name, lastName: last ?? (first === undefined ? undefined : name) };
  const names = both.lastName === undefined ? { name } : both;
  const taken = Object.entries({ group, email, ...names });
  const meanings = taken.flatMap(([meaning, column]) =>
    column === undefined ? [] : [[column.name, meaning as Meaning] as const],
  );
  return { of: 'UserGroup', is: 'rows', meanings: new Map(meanings) };
}

/** A list of people by e-mail address with several columns of marks. */
function groupMatrix(words: Words, columns: readonly Column[]): ObjectList | undefined {
  const [email] = columnsOf(words, 'email');
  const groups = columns.filter((column) => !words.has(column) && isGroupColumn(column));
  const isOther = columnsOf(words, 'supplier', 'group', ...PLACE).length > 0;
  if (email === undefined || groups.length < 2 || isOther) return undefined;
  const meanings = [[email.name, 'email'] as const, ...groups.map(({ name }) => [name, 'group'] as const)];
  return { of: 'UserGroup', is: 'matrix', meanings: new Map(meanings) };
}

/** What a meaning that people gave stands for. */
const WORD_OF: Partial<Record<Meaning, Word>> = {
  ...Object.fromEntries(SUPPLIER.map((meaning) => [meaning, meaning])),
  ...{ name: 'person', address1: 'street', notes: 'description', houseNumber: 'houseNumber' },
  ...{ email: 'email', firstName: 'firstName', lastName: 'lastName', group: 'group' },
};
