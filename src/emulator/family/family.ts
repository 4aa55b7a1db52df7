import type { Row } from '#base/sqlite/sqlite.js';
import type { Collection } from '../dialects/dialect.js';
import type { TSchema } from '../routes/type.js';
import type { Query, Searchable } from '../rules/search.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { Clause, Columns } from '../store/search.js';
import type { List } from '../store/select.js';
import type { Field, Fields, RecordOf, StoredRecord } from './field.js';

/** What can be asked of a family; which of them a service answers is the business of its dialect. */
export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

/** A request that makes or replaces a record. */
export interface Writing {
  readonly workspace: Workspace;
  readonly caller: Caller;
  /** The body, which its schema accepted. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a family of the interface is: everything but its rules is data, from which the rest follows. */
export interface Description<F extends Fields> {
  /** Where the collection is; a family without a path is reached by its relations alone. */
  readonly path?: string;
  /** Further paths that answer the list. */
  readonly alsoAt?: readonly string[];
  /** One entry with its article, and several, as texts name them: `a policy`, `policies`. */
  readonly one: string;
  readonly many: string;
  readonly table: string;
  /** Whose capabilities in the dialect say what a service answers; without it the family is for reading. */
  readonly capability?: Collection;
  /** Its entries are not read one by one. */
  readonly listOnly?: true;
  /** Answered in pages; otherwise the list comes whole. */
  readonly paged?: true;
  /** Its entries have numbers, counted from 1, which are the key of the table. */
  readonly numbered?: true;
  /** How the list shows its entries; single reads are full. */
  readonly listView?: View;
  readonly fields: F;
  /** Names of fields or of their parts, each with how it is compared. */
  readonly search: Searchable;
  /** Where the OpenAPI document says more than `Get a policy`. */
  readonly summaries?: Partial<Readonly<Record<Verb, string>>>;
  /** Indexes of the table beside those of unique fields: the columns of each, by name. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Parameters of the list that are no searches, each with what refuses a wrong value. */
  readonly parameters?: Readonly<Record<string, (value: Query[string]) => void>>;
  /** A parameter of the list that is more than a comparison; a condition that its value stands for, undefined without one. */
  readonly narrowed?: {
    readonly parameter: string;
    readonly clause: (value: Query[string], workspace: Workspace) => Clause | undefined;
  };
  /** What a request may say beside the fields. */
  readonly given?: Readonly<Record<string, TSchema>>;
  /** The rules: refuses, or gives what is stored. Fields are checked one by one before. */
  check?(record: RecordOf<F>, writing: Writing): RecordOf<F>;
  /** What else happens when a record was made or replaced. */
  after?(record: RecordOf<F>, writing: Writing): void;
}

/** How much of an entry is shown. */
export type View = 'full' | 'compact';

/** A description with its fields bound to their names, and what SQL needs of them. */
export interface Family<R extends StoredRecord = StoredRecord>
  extends Omit<Description<Fields>, 'fields' | 'check' | 'after'> {
  readonly fields: readonly Field[];
  /** The fields by what they do, since a request should not look for them. */
  readonly having: Having;
  /** What a SELECT has beside `t.*`, and what it joins to `t`. */
  readonly selects: readonly string[];
  readonly joins: string;
  /** Its rows in the order of lists, with the columns that it can be searched by. */
  readonly rows: List<Row>;
  /** Selects the row of a GUID. */
  readonly byGuid: string;
  read(row: Row): R;
  check?(record: R, writing: Writing): R;
  after?(record: R, writing: Writing): void;
}

/** Fields that have a trait. */
interface Having {
  readonly given: readonly Field[];
  readonly taken: readonly Field[];
  readonly resolve: readonly Field[];
  readonly table: readonly Field[];
  readonly stamp: readonly Field[];
  readonly shown: Readonly<Record<View, readonly Field[]>>;
  readonly initial: readonly Field[];
}

/** Makes a family of its description. The order of fields is that of answers. */
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
  const rows = {
    select: `SELECT ${['t.*', ...selects].join(', ')} FROM ${description.table} t ${joins}`,
    columns: columnsOf(fields),
    order: description.numbered ? 't.number' : 't.seq',
    read: (row: Row) => row,
  };
  const byGuid = `${rows.select} WHERE t.guid = ?`;
  return { ...description, fields, having: havingOf(fields), selects, joins, rows, byGuid, read };
}

function havingOf(fields: readonly Field[]): Having {
  const full = fields.filter((field) => field.answer !== undefined);
  return {
    given: fields.filter((field) => field.given),
    taken: fields.filter((field) => field.taken),
    resolve: fields.filter((field) => field.resolve),
    table: fields.filter((field) => field.table),
    stamp: fields.filter((field) => field.stamp),
    shown: { full, compact: full.filter((field) => !field.fullOnly) },
    initial: fields.filter((field) => field.initial !== undefined),
  };
}

function columnsOf(fields: readonly Field[]): Columns {
  return Object.assign({ guid: 't.guid' }, ...fields.map((field) => field.searched ?? {}));
}
