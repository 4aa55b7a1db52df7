import type { Column, Roles } from './column.js';
import { bareHeader, roleNamed } from './column-names.js';
import type { Role } from './meanings.js';

/** Words for an assembly, and for one of its parts, in the headers of lists with a row for each pair of them. */
const ASSEMBLY =
  /^(?:parent|assembly|product|finished (?:good|product|item)|(?:bill of materials|bom|recipe|header) (?:parent|product|item|header)|erzeugnis|baugruppen?|produit|producto|prodotto|produkt) /;
const PART =
  /^(?:child|component|mtl|ingredient|raw material|material|sub ?(?:component|assembly|item)|bom (?:line|component)|komponenten?|einsatz(?:material)?|composant|componente|skladnik|ingredients?) /;

/** The role of what a header says beside one of those words. */
const roleBeside = (header: string, word: RegExp): Role | undefined => {
  const bare = bareHeader(header);
  const rest = bare.replace(word, '');
  if (rest === bare) return undefined;
  return /(?:^| )(?:sku|code|no|nr|num|number|id|p ?n)$/.test(rest) ? 'number' : roleNamed(rest);
};

/**
 * Roles of columns in a list with a row for each pair of an assembly and a part, which name both alike: "Product code"
 * and "Ingredient code", "Product name" and "Ingredient name". The names of the assemblies have none.
 */
export function rolesInPairs(columns: readonly Column[]): ReadonlyMap<Column, Role | undefined> {
  const rolesBeside = (word: RegExp): readonly (readonly [Column, Role])[] =>
    columns.flatMap((column) => {
      const role = roleBeside(column.header, word);
      return role === undefined ? [] : [[column, role] as const];
    });
  const parts = rolesBeside(PART);
  const named = rolesBeside(ASSEMBLY);
  const parents = named.length > 0 ? named : rolesOfAlike(columns, parts);
  const numberIn = (all: typeof parents): Column | undefined => all.find(([, role]) => role === 'number')?.[0];
  const [parent, number] = [numberIn(parents), numberIn(parts)];
  // Each assembly has several parts.
  if (parent === undefined || number === undefined || parent.distinct * 2 > parent.filled) return new Map();
  // A revision beside the assembly is that of the assembly.
  const revisions = columns.filter(({ header }) => roleNamed(header) === 'revision' && !PART.test(bareHeader(header)));
  return new Map<Column, Role | undefined>([
    ...revisions.map((column) => [column, undefined] as const),
    ...parents.map(([column]) => [column, column === parent ? 'parent' : undefined] as const),
    ...parts.filter(([column, role]) => column === number || role !== 'number'),
  ]);
}

/** Columns without a prefix beside those of the parts: "PartNum" beside "MtlPartNum". */
const rolesOfAlike = (
  columns: readonly Column[],
  parts: readonly (readonly [Column, Role])[],
): readonly (readonly [Column, Role])[] => {
  const alike = new Map(parts.map(([{ header }, role]) => [bareHeader(header).replace(PART, ''), role]));
  return columns.flatMap((column) => {
    const role = alike.get(bareHeader(column.header));
    return role === undefined ? [] : [[column, role] as const];
  });
};

/** The column with the names of the parents: "Assembly Description" beside "Assembly Number". */
export function parentNames(columns: readonly Column[], roles: Roles): Column | undefined {
  const parent = roles.get('parent');
  if (parent === undefined) return undefined;
  const base = bareHeader(parent.header).replace(/ (?:no|nr|num|number|id|p n|code)$/, '');
  const isName = ({ header }: Column): boolean => {
    const bare = bareHeader(header);
    const role = bare.startsWith(`${base} `) ? roleNamed(bare.slice(base.length + 1)) : roleBeside(header, ASSEMBLY);
    return role === 'name' || role === 'description';
  };
  return columns.find((column) => column !== parent && isName(column));
}
