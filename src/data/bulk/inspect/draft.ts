import type { ImportSpec } from '#core/jobs/import.js';
import type { ImportSource, RowSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { JsonObject } from '#core/model/json.js';
import type { Meaning } from './meanings.js';

/** Kind of objects that the rows of a table become. */
export type DraftKind = 'assembly' | 'items' | 'BOM' | 'sources';

/** A column without a target until somebody decides. */
export interface OpenColumn {
  readonly column: string;
  /** The field or the attribute that it may be meant for. */
  readonly target: { readonly apiName: string } | { readonly attribute: string };
  /** Reason why it is not mapped, as a sentence. */
  readonly why: string;
}

/** A definition and an Import in preparation. */
export interface Draft {
  readonly kind: DraftKind;
  /** Name of the definition and of the Import. */
  readonly name: string;
  readonly resource: string;
  readonly mode: 'OVERWRITE' | 'CREATE';
  readonly options: Readonly<Record<string, string>>;
  /** The column of each field. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly source: ImportSource;
  /** Only rows without a record are sent. */
  readonly send?: 'new';
  /** Rows of one parent and part are added up; `once`: equal ones count once. */
  readonly repeated?: 'sum' | 'once';
  /** What somebody settled for a list like this one, in place of mode, options and mapping. */
  readonly settled?: { readonly definition: ImportDefinitionSpec; readonly spec: Omit<ImportSpec, 'source'> };
  /** Why its rows do not pass the checks of an import, as a sentence. */
  readonly problem?: string;
  /** Sentences about what a person has to know or to decide. */
  readonly remarks: readonly string[];
  readonly open: readonly OpenColumn[];
}

/** A manifest of objects of rows in preparation. */
export interface ObjectsDraft {
  readonly kind: 'objects';
  /** Kind of the objects. */
  readonly of: string;
  readonly source: RowSource;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  /** What is read in each column, by name. */
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly problem?: string;
  readonly remarks: readonly string[];
  /** Comments below the spec: fields that only need to be uncommented, and columns without a field. */
  readonly open: readonly string[];
}

/** What is proposed for a list. */
export type ProposedDraft = Draft | ObjectsDraft;

/** The spec of the definition of a draft. */
export function draftDefinition({ settled, resource, mode, options, mapping }: Draft): ImportDefinitionSpec {
  if (settled !== undefined) return settled.definition;
  const entries = [...mapping].map(([apiName, sourceName]) => ({ resource, apiName, sourceName }));
  return { resource, mode, options: { ...options, mapping: entries } };
}

/** Removes a field from a draft, with the reason as a comment. */
export function withoutField(draft: Draft, field: string, why: string): Draft {
  const column = draft.mapping.get(field);
  if (column === undefined) return draft;
  const mapping = new Map([...draft.mapping].filter(([name]) => name !== field));
  return { ...draft, mapping, open: [{ column, target: { apiName: field }, why }, ...draft.open] };
}

/** Adds settings to the source of a draft. */
export const withSource = (draft: Draft, source: Partial<ImportSource>): Draft => ({
  ...draft,
  source: { ...draft.source, ...source },
});

/** Leaves out rows with certain values in a column, besides those that the source leaves out already. */
export function withoutValues<S extends Pick<ImportSource, 'where'>>(
  source: S,
  column: string,
  values: readonly string[],
): S {
  const known = source.where?.[column];
  const before = typeof known === 'object' && 'not' in known ? [known.not].flat() : [];
  const [only = '', ...others] = [...new Set([...before, ...values])];
  return { ...source, where: { ...source.where, [column]: { not: others.length === 0 ? only : [only, ...others] } } };
}

/** Restricts a draft to rows with a value in a column. */
export const whereFilled = (draft: Draft, column: string): Draft =>
  withSource(draft, withoutValues(draft.source, column, ['']));

/** How a remark begins that counts rows which the manifests do not read. */
export const LEFT_OUT = 'Left out: ';

/** Whether a remark begins with what it is: a question, rows that are left out, or a setting of a project. */
export const isMarked = (remark: string): boolean => /^(?:Open|Left out|Known): /.test(remark);

/** Removes the remarks with this beginning. */
export const withoutRemark = (draft: Draft, beginning: string): Draft => ({
  ...draft,
  remarks: draft.remarks.filter((remark) => !remark.startsWith(beginning)),
});

/** Adds a remark to a draft, once. */
export const withRemark = <D extends Pick<Draft, 'remarks'>>(draft: D, remark: string): D =>
  draft.remarks.includes(remark) ? draft : { ...draft, remarks: [...draft.remarks, remark] };

/** The texts that fill a column: those of an added one, which no other added column can name, else its own name. */
export function columnTexts({ columns = {} }: Pick<ImportSource, 'columns'>, name: string): readonly string[] {
  const made = columns[name];
  if (typeof made === 'string') return [made];
  return Array.isArray(made) ? made : [`{${name}}`];
}

/** Returns the columns that the text of an added column names in braces. */
export const columnsIn = (text: string): string[] =>
  [...text.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name]) => name ?? []);

/** Adds a problem to a draft, which a person has to settle before anything is imported. */
export const withProblem = (draft: Draft, problem: string): Draft => ({
  ...withRemark(draft, `Open: ${problem}`),
  problem,
});

/** Returns the option, as a message quotes it, that gives a column a meaning. */
export const columnOption = (name: string, meaning: string): string =>
  `--column ${JSON.stringify(`${name}=${meaning}`)}`;

/** Creates missing parts alone, since the names of a draft are no names: parts that exist keep theirs. */
export const keepNames = (items: Draft): Draft =>
  items.send === 'new'
    ? items
    : withRemark(
        { ...items, send: 'new' },
        'No column has the names of parts, so parts that exist keep theirs and are not changed (`send: new`). To change their other values, remove the name from the mapping, and `send`.',
      );

/** Formats a name or value for a setting in a remark. */
export const flowText = (text: string): string => (/^[A-Za-z][\w ]*$/.test(text) ? text : JSON.stringify(text));
