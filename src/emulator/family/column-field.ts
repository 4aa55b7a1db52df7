import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { TSchema } from '../routes/type.js';
import type { FieldFactory } from './field.js';

/** The column of a field; by default, its name in snake case. */
export interface InColumn {
  readonly column?: string;
}

/** Converts a name to snake case: `creationDateTime` becomes `creation_date_time`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Column<T> extends InColumn {
  readonly declaration: string;
  readonly answer: TSchema;
  readonly read: (row: Row, column: string) => T;
  readonly write?: (value: T) => SqlValue;
}

/** A field in its own column, which no request can set. */
export function columnField<T>({ declaration, answer, read, write, column: as }: Column<T>): FieldFactory<T> {
  return (name) => {
    const column = as ?? snake(name);
    return {
      name,
      column: { name: column, declaration },
      searched: { [name]: `t."${column}"` },
      read: (row) => read(row, column),
      ...(write ? { write } : {}),
      answer,
    };
  };
}
