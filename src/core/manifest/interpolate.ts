import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '../catalog.js';
import { type RowSource, rowSourceSchema } from '../jobs/source.js';
import type { Document, Origins } from '../model/document.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import {
  addFinding,
  type FillContext,
  fill,
  filledDocument,
  VALUE_REFERENCE,
  type VariableValues,
} from './fill-references.js';
import { FOR_EACH, isRowSource, listItems } from './for-each.js';
import { rowDocuments } from './row-documents.js';
import type { RowTable } from './row-table.js';
import { checkSchema } from './schema-check.js';

/** Documents with their references filled in, and the names of the variables that were used. */
export interface InterpolatedDocuments {
  /** The documents without errors. */
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
  readonly used: ReadonlySet<string>;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Escapes every `${` in a value, so that interpolation keeps its texts. */
export function withoutReferences(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutReferences(entry)]));
}

/** The lists that documents come from, as they were read. */
export interface RowLists {
  /** Returns what a document names; undefined if it could not be read, which was reported. */
  readonly tableOf: (list: ListPlace) => RowTable | undefined;
  readonly catalog: Pick<Catalog, 'jobs' | 'schemaOf'>;
}

/** A list that a document names, and the positions of that document. */
export interface ListPlace {
  readonly source: RowSource;
  readonly origins: Origins;
}

/** The lists that documents name, with their variables filled in: what `interpolate` needs of the disk. */
export const listPlaces = (documents: readonly Document[], variables: VariableValues): ListPlace[] =>
  documents.flatMap(({ value, origins }) => {
    if (!isObject(value) || !isRowSource(value[FOR_EACH])) return [];
    const source = rowSourceOf(value[FOR_EACH], newContext(origins, variables));
    return source === undefined ? [] : [{ source, origins }];
  });

/**
 * Fills in variables, and creates a document for each item of a `forEach`, or for each name in the rows of a list: the
 * stages between parse and merge. Positions stay those of the file. Without `lists`, no document comes from rows.
 */
export function interpolate(
  documents: readonly Document[],
  variables: VariableValues,
  sourceOf: (name: string) => string = () => 'the configuration',
  lists?: RowLists,
): InterpolatedDocuments {
  const used = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const filled: Document[] = [];
  for (const { value, origins } of documents) {
    const filling: FillContext = { ...newContext(origins, variables), sourceOf, used };
    const results = fillDocument(value, filling, lists);
    diagnostics.push(...filling.found);
    if (filling.found.length === 0) filled.push(...results);
  }
  return { documents: filled, diagnostics, used };
}

const newContext = (origins: Origins, variables: VariableValues): FillContext => ({
  ...{ variables, origins, sourceOf: String },
  ...{ used: new Set(), found: [], sources: new Map() },
});

const AT = pointerTo('', FOR_EACH);

function fillDocument(value: unknown, filling: FillContext, lists?: RowLists): readonly Document[] {
  if (!isObject(value) || !Object.hasOwn(value, FOR_EACH)) return [filledDocument(value, filling)];
  const { [FOR_EACH]: given, ...rest } = value;
  if (!isRowSource(given)) return copiesOf(rest, given, filling);
  const source = rowSourceOf(given, filling);
  if (source === undefined || lists === undefined) return [];
  const table = lists.tableOf({ source, origins: filling.origins });
  return table === undefined ? [] : rowDocuments(rest, table, filling, lists.catalog);
}

/** The rows that a `forEach` means; undefined with findings if it is wrong. */
function rowSourceOf(given: JsonObject, filling: FillContext): RowSource | undefined {
  const { found, origins } = filling;
  const source = fill(given, AT, filling);
  if (found.length > 0) return undefined;
  found.push(...checkSchema(source, { schema: rowSourceSchema, base: AT, origins, name: '`forEach`' }));
  return found.length > 0 ? undefined : (source as RowSource);
}

function copiesOf(rest: JsonObject, given: unknown, filling: FillContext): Document[] {
  const before = filling.found.length;
  const list = fill(given, AT, filling);
  if (filling.found.length > before) return [];
  const items = listItems(list, rest);
  if ('code' in items) {
    addFinding(items, '', AT, filling);
    return [];
  }
  const copies: Document[] = [];
  for (const each of items) {
    copies.push(filledDocument(rest, { ...filling, each, sources: new Map(filling.sources) }));
    // A mistake that each copy repeats is reported once.
    if (filling.found.length > before) break;
  }
  return copies;
}

/** Reports variables with names that no reference can use, and values that contain references. */
export function checkVariables(
  variables: VariableValues,
  { base, origins }: { readonly base: Pointer; readonly origins: Origins },
): Diagnostic[] {
  return Object.entries(variables).flatMap(([name, value]): Diagnostic[] => {
    const at = pointerTo(base, name);
    const wrongName: Diagnostic = {
      severity: 'error',
      code: 'variable-name',
      message: `"${name}" is not a valid variable name.`,
      hint: 'Use letters, digits, "_" and "-", and begin with a letter or "_".',
      origin: origins.key(at),
    };
    const references = referencesIn(value, at).map(
      (place): Diagnostic => ({
        severity: 'error',
        code: 'variable-nested',
        message: `The variable "${name}" contains a reference, but variable values are used literally.`,
        hint: 'Give the value with `--var NAME=VALUE` instead.',
        origin: origins.value(place),
      }),
    );
    return [...(VARIABLE_NAME.test(name) ? [] : [wrongName]), ...references];
  });
}

function referencesIn(value: unknown, at: Pointer): Pointer[] {
  if (typeof value === 'string') return VALUE_REFERENCE.test(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Record<string, Json>).flatMap(([key, entry]) =>
    referencesIn(entry, pointerTo(at, key)),
  );
}
