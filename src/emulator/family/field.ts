import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { Shape } from '../interface/shape.js';
import type { TSchema } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import type { ServiceError } from '../rules/service-error.js';
import type { Caller, Workspace } from '../rules/workspace.js';
import type { Upload } from '../store/run-files.js';
import type { Criterion } from '../store/search.js';
import type { ListTable } from './list-table.js';

/** A stored entry of a family, with other objects by GUID. */
export interface StoredRecord {
  readonly guid: string;
}

/** Returns the value of a field; a record has one for every field that its family stores. */
export const valueIn = (record: StoredRecord, name: string): unknown =>
  (record as unknown as Readonly<Record<string, unknown>>)[name];

/** The context of an answer. */
export interface AnswerContext {
  readonly workspace: Workspace;
  readonly query: Query;
}

/** Who did something, and when. */
export interface Stamp {
  readonly by: string;
  readonly at: string;
}

/** A request that creates or replaces a record. */
export interface WriteRequest {
  readonly workspace: Workspace;
  readonly caller: Caller;
  /** The body, already validated by its schema. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The file that came with a form. */
  readonly upload?: Upload | undefined;
  /** The GUID of the record that a new one belongs to. */
  readonly owner?: string;
  /** Whether a null in the body removes a value (`?setnull=true`). */
  readonly setsNull?: boolean;
}

/** The way in which a request gives the value of a field. */
interface Given<Stored> {
  readonly schema: TSchema;
  /** Returns the value to store; `value` is undefined if left out. Refuses a value that is wrong by itself. */
  parse(value: unknown, workspace: Workspace): Stored;
}

/** One field of a family with all its traits; an absent trait does not apply. */
export interface Field<Stored = unknown> {
  readonly name: string;
  /** The column of the family's table that it is stored in, with its declaration in SQL. */
  readonly column?: { readonly name: string; readonly declaration: string };
  /** The table of its own that it is stored in, with one row for each entry. */
  readonly table?: ListTable;
  /** The columns to select besides those of the family's table, which has the alias `t`. */
  readonly selects?: readonly string[];
  readonly join?: string;
  /** The SQL of each searchable name: of the field, or of a part of it. */
  readonly searched?: Readonly<Record<string, string>>;
  read?(row: Row): Stored;
  write?(value: Stored): SqlValue;
  /** Its JSON schema in answers; a field without one is never shown. */
  readonly answer?: TSchema;
  /**
   * Returns the value to show; by default the stored one. `record` reads the record from the row on demand. A value may
   * have more keys than the documented `shape` of it, which the answer leaves out.
   */
  show?(row: Row, viewing: AnswerContext, record: () => StoredRecord, shape?: Shape): unknown;
  readonly given?: Given<Stored>;
  /** Stores what a request gives outside the record itself, once that is stored; undefined if left out. */
  store?(value: unknown, record: StoredRecord, writing: WriteRequest): void;
  /** Puts the value that a request gives into the record; by default, under the name of the field. */
  put?(value: Stored, draft: Record<string, unknown>): void;
  /** Whether the rules of the family write it, and no request gives it by its name. */
  readonly ruled?: true;
  /** The value in a new record if no request gives one. */
  readonly initial?: Stored;
  /** Builds the refusal of a value that another record has. */
  taken?(value: Stored): ServiceError;
  /** Refuses a value that refers to a missing object. */
  resolve?(value: Stored, workspace: Workspace): void;
  /** The stamp that the service itself writes when a record is created or changed. */
  readonly stamp?: { readonly made?: keyof Stamp; readonly changed?: keyof Stamp };
  /** Shown only where the documented shape of an answer has it. */
  readonly documentedOnly?: true;
  /** Not in the compact view. */
  readonly fullOnly?: true;
  /** Shown only if updates accept it in the dialect. */
  readonly updatableOnly?: true;
  /** The parameter of the list that can leave the field out of its entries, and its value if left out. */
  readonly onDemand?: { readonly parameter: string; readonly otherwise: boolean };
  /** The parameters of lists and single reads that control how it is shown. */
  readonly viewParameters?: readonly string[];
  /** Widens a search for it, unless the parameter is false. */
  readonly widened?: {
    readonly parameter: string;
    widen(criterion: Criterion, workspace: Workspace): Criterion;
  };
  /** Returns further searchable names, with their SQL. */
  searchedToo?(viewing: AnswerContext): Readonly<Record<string, string>>;
}

/** A field that gets its name from its key in the family. */
export type FieldFactory<Stored = unknown> = (name: string) => Field<Stored>;

/** Fields by name, in the order of answers. */
export type Fields = Readonly<Record<string, FieldFactory>>;

type StoredOf<U> = U extends FieldFactory<infer Stored> ? Stored : never;

/** The record that a family with these fields stores, without derived fields. */
export type RecordOf<F extends Fields> = StoredRecord & {
  readonly [K in keyof F as StoredOf<F[K]> extends undefined ? never : K]: StoredOf<F[K]>;
};
