import type { SqlValue } from '#base/sqlite/sqlite.js';

/** One condition of a search, already checked by the rules. */
export interface Criterion {
  readonly attribute: string;
  readonly test: 'equals' | 'like' | 'from' | 'to' | 'in';
  readonly value: SqlValue;
  /** The further values of `in`. */
  readonly values?: readonly SqlValue[];
}

/** The page of a list that an answer contains (wire-facts 3). */
export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A search in a list: the criteria that entries must meet, and the page of them. */
export interface Search extends Page {
  readonly criteria: readonly Criterion[];
}

/** The SQL expression behind each searchable attribute. */
export type Columns = Readonly<Record<string, string>>;

/** SQL with the values of its question marks in order; no value of a request is part of the text itself. */
export interface Clause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Builds the WHERE clause of a search; `fixed` are conditions for the whole list. */
export function whereClause(criteria: readonly Criterion[], columns: Columns, ...fixed: readonly Clause[]): Clause {
  const clauses = [
    ...fixed,
    ...criteria.map((criterion) => clauseOf(criterion, columns[criterion.attribute] ?? 'NULL')),
  ];
  if (clauses.length === 0) return { sql: '', values: [] };
  return {
    sql: `WHERE ${clauses.map((clause) => clause.sql).join(' AND ')}`,
    values: clauses.flatMap((clause) => clause.values),
  };
}

function clauseOf(criterion: Criterion, column: string): Clause {
  const values = [criterion.value, ...(criterion.values ?? [])];
  switch (criterion.test) {
    case 'equals':
      return { sql: `${column} = ? COLLATE NOCASE`, values };
    case 'like':
      return { sql: `${column} LIKE ? ESCAPE '\\'`, values };
    case 'from':
      return { sql: `${column} >= ?`, values };
    case 'to':
      return { sql: `${column} <= ?`, values };
    case 'in':
      return { sql: `${column} COLLATE NOCASE IN (${values.map(() => '?').join(', ')})`, values };
    default:
      return criterion.test satisfies never;
  }
}
