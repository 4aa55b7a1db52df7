import type { Row } from '#base/sqlite/sqlite.js';
import type { Collection } from '../dialects/dialect.js';
import type { Endpoint } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import type { TSchema } from '../routes/type.js';
import type { Query, Searchable } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause, Columns } from '../store/search.js';
import type { List } from '../store/select.js';
import type { Field, Fields, RecordOf, StoredRecord, WriteRequest } from './field.js';

/** The operations on a family; the dialect decides which of them a service answers. */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

/** The names of the GUIDs in the path of an entry, from the outside in. */
export const PARAMETERS = ['guid', 'member', 'entry'] as const;

/** A path of the published interface with a name for each GUID: `/files/:guid/markups/:member`. */
export const routeTemplate = (path: string): string =>
  PARAMETERS.reduce((found, name) => found.replace('{guid}', `:${name}`), path);

/** Describes a family of the interface: everything but its rules is data, from which the rest follows. */
export interface Description<F extends Fields> {
  /** The path of the collection; a family without a path is reached only through its relations. */
  readonly path?: string;
  /** The condition that its entries meet, if its table has others. */
  readonly only?: Clause;
  /** The condition that the entries of its lists meet; single reads find the others too. */
  readonly listed?: Clause;
  /** The family whose entries its own belong to; its path begins with theirs. */
  readonly owner?: Family;
  /** The field with the GUID of the owner; `ownerGuid` by default. */
  readonly ownedBy?: string;
  /** The name of the GUID of an entry in paths, if not that of {@link PARAMETERS}. */
  readonly parameter?: string;
  /** The code of the refusal of a GUID that none of its entries has; 3011 by default. */
  readonly absent?: number;
  /** Further paths that answer the list. */
  readonly alsoAt?: readonly string[];
  /** One entry with its article, and several, as texts name them: `a policy`, `policies`. */
  readonly one: string;
  readonly many: string;
  readonly table: string;
  /** The collection whose capabilities in the dialect apply; without it, the family is read-only. */
  readonly capability?: Collection;
  /** Whether imports write its table, or what its rules check: no request writes it while one runs. */
  readonly imported?: true;
  /** Whether its entries cannot be read one by one. */
  readonly listOnly?: true;
  /** Whether the list is answered in pages; otherwise it comes whole. */
  readonly paged?: true;
  /** Whether its entries have numbers, counted from 1, which are the key of the table. */
  readonly numbered?: true;
  /** Whether the list begins with the newest entry. */
  readonly newestFirst?: true;
  /** Set if users see only the entries that they created: the code of the refusal of another one. */
  readonly personal?: number;
  /** The view of entries in the list; single reads are full. */
  readonly listView?: View;
  /** The forms that a parameter chooses from, and the one of a list without it; single reads are full. */
  readonly views?: Views;
  /** What lists and single reads select from, if not the table alone; it has the columns that the fields read. */
  readonly sources?: Readonly<Partial<Record<'list' | 'get', string>>>;
  /** The column with the GUID of the row that a list shows instead, if it has one. */
  readonly listedAs?: string;
  /** How other GUIDs name its entries, if they do. */
  readonly versions?: Versions;
  /** Stores its entries, if others than this family do. */
  readonly writer?: Writer;
  readonly fields: F;
  /** The endpoints of the published interface that it answers; their shapes are those of the answers. */
  readonly endpoints?: Readonly<Partial<Record<Verb, Endpoint>>>;
  /** The fields that an update may remove; if given, an update changes only what its body has. */
  readonly clearable?: readonly string[];
  /** The searchable fields, or parts of fields, by name, each with its comparison. */
  readonly search: Searchable;
  /** The SQL of searchable names that are not those of fields. */
  readonly columns?: Columns;
  /** Summaries for the OpenAPI document that replace a default such as `Get a policy`. */
  readonly summaries?: Partial<Readonly<Record<Verb, string>>>;
  /** Indexes of the table besides those of unique fields: the columns of each and its condition, if any, by name. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** A parameter of the list that is more than a comparison; `clause` turns its value, if any, into a condition. */
  readonly narrowed?: {
    readonly parameter: string;
    readonly clause: (value: Query[string], workspace: Workspace) => Clause | undefined;
  };
  /** Two searches that exclude each other, and the code of the refusal of both. */
  readonly exclusive?: readonly [one: string, other: string, code: number];
  /** Properties that a request may have besides the fields. */
  readonly given?: Readonly<Record<string, TSchema>>;
  /** Completes a new record with what no request gives. */
  begin?(record: RecordOf<F>, writing: WriteRequest): RecordOf<F>;
  /** Applies the rules: refuses a record, or returns the one to store. Each field was already checked by itself. */
  check?(record: RecordOf<F>, writing: WriteRequest): RecordOf<F>;
  /** Refuses to delete a record that has to stay. */
  refuseDelete?(record: RecordOf<F>, workspace: Workspace): void;
  /** Runs after a record was created or replaced. */
  after?(record: RecordOf<F>, writing: WriteRequest): void;
}

/** The extent to which an entry is shown. */
export type View = 'full' | 'compact';

/** Views and documented forms that a parameter names. */
export interface Views {
  readonly parameter: string;
  readonly of: Readonly<Record<string, View | Shape>>;
  readonly list: string;
}

/** Versions of entries, each with a GUID of its own that names the entry as well. */
export interface Versions {
  /** The column with the GUID of the entry, in rows of entries and of versions. */
  readonly column: string;
  /** Selects the GUIDs of all versions of the entry with a GUID. */
  readonly select: string;
}

/** Stores the entries of a family with their rules; the rows are those of single reads. */
export interface Writer {
  /** Returns the GUID of the new entry. */
  create(writing: WriteRequest): string;
  update(writing: WriteRequest, row: Row): void;
  remove(writing: WriteRequest, guid: string, only?: Clause): void;
}

/** A description with its fields bound to their names, and the SQL for them. */
export interface Family<R extends StoredRecord = StoredRecord>
  extends Omit<Description<Fields>, 'fields' | 'begin' | 'check' | 'refuseDelete' | 'after'> {
  readonly fields: readonly Field[];
  /** The fields by trait, grouped once so that requests need not search them. */
  readonly having: FieldsByTrait;
  /** The columns that a SELECT has besides `t.*`, and its joins to `t`. */
  readonly selects: readonly string[];
  readonly joins: string;
  /** Its rows in the order of lists, with the searchable columns. */
  readonly rows: List<Row>;
  /** Selects the row of a GUID. */
  readonly byGuid: string;
  read(row: Row): R;
  begin?(record: R, writing: WriteRequest): R;
  check?(record: R, writing: WriteRequest): R;
  refuseDelete?(record: R, workspace: Workspace): void;
  after?(record: R, writing: WriteRequest): void;
}

/** Fields grouped by trait. */
interface FieldsByTrait {
  readonly given: readonly Field[];
  readonly taken: readonly Field[];
  readonly resolve: readonly Field[];
  readonly table: readonly Field[];
  readonly stamp: readonly Field[];
  /** The fields that documented shapes may show. */
  readonly documented: readonly Field[];
  readonly shown: Readonly<Record<View, readonly Field[]>>;
  readonly initial: readonly Field[];
}

/** Builds a family from its description. Answers show the fields in the same order. */
export function family<F extends Fields>(description: Description<F>): Family<RecordOf<F>> {
  const fields = Object.entries(description.fields).map(([name, field]) => field(name));
  const selects = fields.flatMap((field) => field.selects ?? []);
  const joins = fields.flatMap((field) => field.join ?? []).join(' ');
  const stored = fields.filter((field) => field.read !== undefined);
  const read = (row: Row): RecordOf<F> => {
    const record: Record<string, unknown> = { guid: row.guid };
    for (const field of stored) record[field.name] = field.read?.(row);
    return record as RecordOf<F>;
  };
  const { table, sources = {}, numbered, newestFirst } = description;
  const selectFrom = (source: string) => `SELECT ${['t.*', ...selects].join(', ')} FROM ${source} t ${joins}`;
  const rows = {
    select: selectFrom(sources.list ?? table),
    columns: { ...columnsOf(fields), ...description.columns },
    order: `${numbered ? 't.number' : 't.seq'}${newestFirst ? ' DESC' : ''}`,
    read: (row: Row) => row,
  };
  const byGuid = `${selectFrom(sources.get ?? table)} WHERE t.guid = ?`;
  return { ...description, fields, having: havingOf(fields), selects, joins, rows, byGuid, read };
}

function havingOf(fields: readonly Field[]): FieldsByTrait {
  const documented = fields.filter((field) => field.answer !== undefined);
  const full = documented.filter((field) => !field.documentedOnly);
  return {
    given: fields.filter((field) => field.given),
    taken: fields.filter((field) => field.taken),
    resolve: fields.filter((field) => field.resolve),
    table: fields.filter((field) => field.table),
    stamp: fields.filter((field) => field.stamp),
    documented,
    shown: { full, compact: full.filter((field) => !field.fullOnly) },
    initial: fields.filter((field) => field.initial !== undefined),
  };
}

function columnsOf(fields: readonly Field[]): Columns {
  return Object.assign({ guid: 't.guid' }, ...fields.map((field) => field.searched ?? {}));
}
