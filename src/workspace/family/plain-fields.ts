import { nullable } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import { choose } from '../rules/choice.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Row, SqlValue } from '../store/driver.js';
import { flag as flagIn, number, text as textIn, textOrNull } from '../store/select.js';
import { type Unnamed, valueIn } from './field.js';

/** The column of a field: its name in snake case unless another is given. */
interface InColumn {
  readonly column?: string;
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

interface Stored<T> extends InColumn {
  readonly declaration: string;
  readonly answer: TSchema;
  readonly read: (row: Row, column: string) => T;
  readonly write?: (value: T) => SqlValue;
}

/** A field in a column of its own that no request says. */
function stored<T>({ declaration, answer, read, write, column: as }: Stored<T>): Unnamed<T> {
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

/** A text that is never null. */
export const plainText = (options: InColumn & { readonly declaration?: string } = {}): Unnamed<string> =>
  stored({ declaration: 'TEXT NOT NULL', answer: Type.String(), read: textIn, ...options });

/** A text that a request may leave out or give as null: it is empty then. */
export const text = (): Unnamed<string> => {
  const field = plainText();
  const schema = Type.Optional(nullable(Type.String()));
  return (attribute) => ({
    ...field(attribute),
    given: { schema, parse: (value) => (value as string | null | undefined) ?? '' },
    initial: '',
  });
};

/** A text that is null unless a request says it. */
export const textOrNone = (): Unnamed<string | null> => {
  const field = noneText();
  const schema = Type.Optional(nullable(Type.String()));
  return (attribute) => ({
    ...field(attribute),
    given: { schema, parse: (value) => (value as string | null | undefined) ?? null },
    initial: null,
  });
};

/** A text or null. */
export const noneText = (options: InColumn = {}): Unnamed<string | null> =>
  stored({ declaration: 'TEXT', answer: nullable(Type.String()), read: textOrNull, ...options });

/** A whole number or null. */
export const noneNumber = (): Unnamed<number | null> =>
  stored({
    declaration: 'INTEGER',
    answer: nullable(Type.Integer()),
    read: (row, column) => (row[column] === null ? null : number(row, column)),
  });

/** A text that every request says and that is not blank. */
export const name = (declaration = 'TEXT NOT NULL COLLATE NOCASE'): Unnamed<string> => {
  const field = plainText({ declaration });
  return (attribute) => ({
    ...field(attribute),
    given: { schema: Type.String(), parse: (value) => filled(value as string, attribute) },
  });
};

function filled(value: string, attribute: string): string {
  if (value.trim() === '') throw refuse.empty(attribute);
  return value;
}

/** True or false, as `otherwise` says if a request does not. */
export const flag = (
  otherwise: boolean,
  options: InColumn & { readonly declaration?: string } = {},
): Unnamed<boolean> => {
  const field = stored<boolean>({
    declaration: 'INTEGER NOT NULL',
    answer: Type.Boolean(),
    read: flagIn,
    write: Number,
    ...options,
  });
  return (attribute) => ({
    ...field(attribute),
    given: { schema: Type.Optional(Type.Boolean()), parse: (value) => (value ?? otherwise) as boolean },
    initial: otherwise,
  });
};

/** The number of a numbered family, which its table counts. */
export const serial = (): Unnamed<undefined> => (attribute) => ({
  name: attribute,
  searched: { [attribute]: 't.number' },
  answer: Type.Integer(),
  show: (_, row) => number(row, 'number'),
});

/** A whole number that the service counts. */
export const count = (initial: number): Unnamed<number> => {
  const field = stored({ declaration: 'INTEGER NOT NULL', answer: Type.Integer(), read: number });
  return (attribute) => ({ ...field(attribute), initial });
};

/** One of some words, letter case aside; a request that leaves it out means `otherwise`, if there is one. */
export function choice<const W extends string>(words: readonly W[], otherwise?: W): Unnamed<W> {
  const field = plainText();
  return (attribute) => ({
    ...(field(attribute) as ReturnType<Unnamed<W>>),
    given: {
      schema: otherwise === undefined ? Type.String() : Type.Optional(Type.String()),
      parse: (value) => choose((value ?? otherwise) as string, words, attribute),
    },
  });
}

/** Any of some words, each once; which words there are may depend on the release. */
export function words(known: (workspace: Workspace) => readonly string[]): Unnamed<readonly string[]> {
  const schema = Type.Array(Type.String());
  return json({
    answer: schema,
    given: Type.Optional(schema),
    parse: (value: readonly string[] = [], attribute, workspace) => {
      const unknown = value.find((word) => !known(workspace).includes(word));
      if (unknown !== undefined) throw refuse.option(unknown, attribute);
      return [...new Set(value)];
    },
  });
}

interface Json<T, G> extends InColumn {
  readonly answer: TSchema;
  /** What an answer shows of what is stored; the same unless told. */
  readonly show?: (value: T) => unknown;
  readonly given?: TSchema;
  /** It may be null. */
  readonly optional?: true;
  /** What is stored of what a request says; undefined was left out. */
  readonly parse?: (value: G | undefined, attribute: string, workspace: Workspace) => T;
}

/** A value of any form, stored as JSON. */
export function json<T, G = T>({ answer, show, given, parse, optional, ...options }: Json<T, G>): Unnamed<T> {
  const plain = stored<T>({
    declaration: optional ? 'TEXT' : 'TEXT NOT NULL',
    answer,
    read: (row, column) => JSON.parse(textOrNull(row, column) ?? 'null') as T,
    write: (value) => (value === null ? null : JSON.stringify(value)),
    ...options,
  });
  const field: Unnamed<T> = (attribute) => ({
    ...plain(attribute),
    ...(show ? { show: (record) => show(valueIn(record, attribute) as T) } : {}),
  });
  if (!given || !parse) return field;
  return (attribute) => ({
    ...field(attribute),
    given: { schema: given, parse: (value, workspace) => parse(value as G | undefined, attribute, workspace) },
  });
}
