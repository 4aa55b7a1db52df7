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
  /** What a person has to settle before the lines are imported. */
  readonly problem?: string;
}

const RELATION =
  /^(?<relation>(?:bom|component|product)[ _]?(?:lines?|components?)(?:[ _]?ids)?)\s*\/\s*(?<field>.+)$/i;
/** As ERPNext writes them. */
const SUFFIX = /^(?<field>.+?)\s*\((?:bom )?(?:items?|components?|materials?)\)$/i;
const fieldOf = ({ header }: Column): string | undefined =>
  (RELATION.exec(header) ?? SUFFIX.exec(header))?.groups?.field;
const PARENT = /^(?:product(?: template| variant)?|item)$/;
const CHILD = /^(?:component|product)$/;

/** Reads a list of BOMs as Odoo and ERPNext export it: each BOM once, in the first row of its lines; undefined for other lists. */
export function relatedLines(columns: readonly Column[], given: GivenMeanings): RelatedLines | undefined {
  const related = columns.map((column) => ({ column, field: fieldOf(column) }));
  const parent = related.find(
    ({ column, field }) => field === undefined && PARENT.test(bareHeader(column.header)),
  )?.column;
  const ofLines = related.filter(({ field }) => field !== undefined);
  if (parent === undefined || ofLines.length < 2) return undefined;
  const meanings = new Map<string, Meaning | 'none'>();
  for (const { column, field } of related) {
    const meaning = column === parent ? 'parent' : field === undefined ? 'none' : meaningOf(field);
    const isTaken = meaning !== 'none' && [...meanings.values(), ...Object.values(given)].includes(meaning);
    meanings.set(column.name, isTaken ? 'none' : meaning);
  }
  const all = { ...Object.fromEntries(meanings), ...given };
  const isInEach = ofLines.every(({ column }) => column.filled <= parent.filled);
  const ofBoms = related.flatMap(({ column, field }) => (field === undefined ? column : []));
  const problem = Object.keys(given).length > 0 ? undefined : problemOf(isInEach ? undefined : parent, ofBoms, all);
  return { meanings: all, source: isInEach ? {} : { fillDown: [parent.name] }, ...omitUndefined({ problem }) };
}

function meaningOf(field: string): Meaning | 'none' {
  const name = bareHeader(field);
  return CHILD.test(name) ? 'number' : (roleNamed(name.replace(/^product /, '')) ?? 'none');
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
