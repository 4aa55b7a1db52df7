import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import { columnOption } from './draft.js';
import type { GivenMeanings, Meaning } from './meanings.js';

/** Lines in the columns of a relation, such as "BoM Lines/Component", below what the columns without it say of their BOM. */
export interface RelatedLines {
  readonly meanings: GivenMeanings;
  readonly source: Pick<ImportSource, 'fillDown'>;
  readonly remarks: readonly string[];
  readonly facts: RelatedFacts;
}

/** What a proposal has to know of such a list. */
export interface RelatedFacts {
  /** The column that names the parents. */
  readonly parentNames?: string;
  /** What a person has to settle before the lines are imported. */
  readonly problem?: string;
}

const RELATION =
  /^(?<relation>(?:bom|component|product)[ _]?(?:lines?|components?)(?:[ _]?ids)?)\s*\/\s*(?<field>.+)$/i;
/** As ERPNext writes them: in brackets stands the name of the relation, in the language of the user. */
const SUFFIX = /^(?<field>.+?)\s*\((?<relation>[^()]+)\)$/;
const IN_ENGLISH = /^(?:bom )?(?:items?|components?|materials?)$/i;
const PARENT =
  /^(?:product(?: template| variant)?|item|articles?|artikel|articulo|articolo|artykul|produkt|produit|producto|prodotto|erzeugnis)$/;
const CHILD = /^(?:component|product)$/;

/** A column, and what its header says of a line; undefined for those of the whole BOM. */
interface Related {
  readonly column: Column;
  readonly field: string | undefined;
}

/**
 * Reads a list of BOMs as Odoo and ERPNext export it: what describes a BOM stands once, in the first row of its lines;
 * undefined for other lists.
 */
export function relatedLines(columns: readonly Column[], given: GivenMeanings): RelatedLines | undefined {
  const relation = relationInBrackets(columns);
  const related = columns.map((column) => ({ column, field: fieldOf(column, relation) }));
  const ofBoms = related.flatMap(({ column, field }) => (field === undefined ? column : []));
  const ofLines = related.filter(({ field }) => field !== undefined);
  const parent = parentIn(ofBoms, relation);
  if (parent === undefined || ofLines.length < 2) return undefined;
  const meanings = { ...meaningsOf(related, parent, given), ...given };
  const isInEach = ofLines.every(({ column }) => column.filled <= parent.filled);
  const problem =
    Object.keys(given).length > 0 ? undefined : problemOf(isInEach ? undefined : parent, ofBoms, meanings);
  const names = ofBoms.find((column) => column !== parent && isName(column) && meanings[column.name] === 'none');
  const others = ofBoms.filter((column) => column.filled > 0 && column !== parent && column !== names);
  const left = others.filter(({ name }) => meanings[name] === 'none').map(({ name }) => `"${name}"`);
  return {
    meanings,
    source: isInEach ? {} : { fillDown: [parent.name] },
    remarks:
      left.length === 0
        ? []
        : [`What describes the assemblies in "${parent.name}" is not imported: ${left.join(', ')}.`],
    facts: omitUndefined({ parentNames: names?.name, problem }),
  };
}

function fieldOf({ header }: Column, relation: string | undefined): string | undefined {
  const { field } = RELATION.exec(header)?.groups ?? {};
  if (field !== undefined) return field;
  const found = SUFFIX.exec(header)?.groups;
  const word = found?.relation ?? '';
  return word === relation || IN_ENGLISH.test(word) ? found?.field : undefined;
}

/**
 * The text in brackets behind the headers of lines: they fill each row, the columns without it fill few rows, the same
 * ones, and a header occurs with it and without it.
 */
function relationInBrackets(columns: readonly Column[]): string | undefined {
  const filled = columns.filter((column) => column.filled > 0);
  const words = filled.flatMap(({ header }) => SUFFIX.exec(header)?.groups?.relation ?? []);
  return [...new Set(words)].find((word) => {
    const ofLines = filled.filter(({ header }) => SUFFIX.exec(header)?.groups?.relation === word);
    const others = filled.filter((column) => !ofLines.includes(column));
    const [most, few] = [ofLines, others].map((all) => Math.max(0, ...all.map((column) => column.filled))) as [
      number,
      number,
    ];
    const bare = others.map(({ header }) => bareHeader(header));
    const isShared = ofLines.some((column) => bare.includes(bareHeader(fieldOf(column, word) ?? '')));
    return ofLines.length > 1 && few * 2 <= most && isShared && others.filter((one) => one.filled === few).length > 2;
  });
}

/** The column of the assemblies. */
const parentIn = (ofBoms: readonly Column[], relation: string | undefined): Column | undefined =>
  ofBoms.find(({ header }) => PARENT.test(bareHeader(header)) || header === relation) ??
  (relation === undefined
    ? undefined
    : ofBoms.find(({ header }) => ['number', 'parent'].includes(roleNamed(header) ?? '')));

const isName = ({ header }: Column): boolean => roleNamed(header) === 'name' || /\p{L}name$/u.test(bareHeader(header));

function meaningsOf(related: readonly Related[], parent: Column, given: GivenMeanings): GivenMeanings {
  const meanings = new Map<string, Meaning | 'none'>();
  for (const { column, field } of related) {
    const ofField = field === undefined ? 'none' : meaningOf(field, column);
    const meaning = column === parent ? 'parent' : ofField;
    const isTaken = meaning !== 'none' && [...meanings.values(), ...Object.values(given)].includes(meaning);
    meanings.set(column.name, isTaken ? 'none' : meaning);
  }
  return Object.fromEntries(meanings);
}

function meaningOf(field: string, { type }: Column): Meaning | 'none' {
  const name = bareHeader(field);
  const meaning = CHILD.test(name) ? 'number' : (roleNamed(name.replace(/^product /, '')) ?? 'none');
  // Databases number their rows by texts, too.
  return meaning === 'lineNumber' && type !== 'integer' ? 'none' : meaning;
}

/** Lines of several pieces of an assembly, and assemblies with several BOMs, would give wrong quantities. */
function problemOf(
  parent: Column | undefined,
  columns: readonly Column[],
  meanings: GivenMeanings,
): string | undefined {
  const [lines = ''] = Object.entries(meanings).find(([, meaning]) => meaning === 'quantity') ?? [];
  const batch = columns.find(({ header }) => roleNamed(header) === 'quantity');
  const larger = [...(batch?.values?.keys() ?? [])].find((value) => Number(value) !== 1);
  const twice = [...(parent?.values ?? [])].find(([, count]) => count > 1)?.[0];
  const found = [
    ...(larger === undefined
      ? []
      : [`"${batch?.name}" says that some lines are those of ${larger} pieces, and nothing divides them`]),
    ...(twice === undefined ? [] : [`"${twice}" has more than one BOM, and their lines would be those of one`]),
  ];
  if (found.length === 0) return undefined;
  return `${found.join('; ')}. Correct the file, or take the lines as they are with \`${columnOption(lines, 'quantity')}\`.`;
}
