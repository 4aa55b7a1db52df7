import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { TSchema } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import type { ServiceError } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Criterion } from '../store/search.js';
import type { ListTable } from './list-table.js';

/** An entry of a family as it is stored: other objects by GUID. */
export interface StoredRecord {
  readonly guid: string;
}

/** A record has a value for every field that its family stores. */
export const valueIn = (record: StoredRecord, name: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[name];

/** What an answer is made for. */
export interface Viewing {
  readonly workspace: Workspace;
  readonly query: Query;
}

/** Who did something, and when. */
export interface Stamp {
  readonly by: string;
  readonly at: string;
}

/** How a request says the value of a field. */
interface Given<Stored> {
  readonly schema: TSchema;
  /** The value to store; undefined was left out. Refuses what is wrong with the value by itself. */
  parse(value: unknown, workspace: Workspace): Stored;
}

/** One field of a family with all its traits. What a trait leaves out, the field does not do. */
export interface Field<Stored = unknown> {
  readonly name: string;
  /** The column of the family's table that it is stored in, with its declaration in SQL. */
  readonly column?: { readonly name: string; readonly declaration: string };
  /** The table of its own that it is stored in, an entry a row. */
  readonly table?: ListTable;
  /** What is selected beside the columns of the family's table, which is called `t`. */
  readonly selects?: readonly string[];
  readonly join?: string;
  /** The SQL behind each name that a search may use: that of the field, or of a part of it. */
  readonly searched?: Readonly<Record<string, string>>;
  read?(row: Row): Stored;
  write?(value: Stored): SqlValue;
  /** Its JSON schema in answers; a field without one is never shown. */
  readonly answer?: TSchema;
  /** What an answer shows; the stored value unless told. The record is made of the row when it is asked for. */
  show?(row: Row, viewing: Viewing, record: () => StoredRecord): unknown;
  readonly given?: Given<Stored>;
  /** No request says it by its name; the rules of the family write it. */
  readonly ruled?: true;
  /** What it has in a new record if no request says it. */
  readonly initial?: Stored;
  /** The refusal of a value that another record has. */
  taken?(value: Stored): ServiceError;
  /** Refuses a value that refers to what is not there. */
  resolve?(value: Stored, workspace: Workspace): void;
  /** What the service itself writes when a record is made or changed. */
  readonly stamp?: { readonly made?: keyof Stamp; readonly changed?: keyof Stamp };
  /** Not in the compact view. */
  readonly fullOnly?: true;
  /** Shown only where the dialect lets an update take it. */
  readonly updatableOnly?: true;
  /** The parameter of the list by which the field can be left out of its entries. */
  readonly onDemand?: string;
  /** The parameters of lists and single reads that say how it is shown. */
  readonly viewParameters?: readonly string[];
  /** What a search for it stands for, unless the parameter is false. */
  readonly widened?: {
    readonly parameter: string;
    widen(criterion: Criterion, workspace: Workspace): Criterion;
  };
  /** Further names that a list can be searched by, with their SQL. */
  searchedToo?(viewing: Viewing): Readonly<Record<string, string>>;
}

/** A field that gets its name from its place in the family. */
export type Unnamed<Stored = unknown> = (name: string) => Field<Stored>;

/** Fields by name, in the order of answers. */
export type Fields = Readonly<Record<string, Unnamed>>;

type StoredOf<U> = U extends Unnamed<infer Stored> ? Stored : never;

/** The record that a family with these fields stores; fields that follow from others are not in it. */
export type RecordOf<F extends Fields> = StoredRecord & {
  readonly [K in keyof F as StoredOf<F[K]> extends undefined ? never : K]: StoredOf<F[K]>;
};
