import { type TSchema, Type } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { textOrNull } from '../store/select.js';
import { columnField, type InColumn } from './column-field.js';
import { type FieldFactory, valueIn } from './field.js';

interface Json<T, G> extends InColumn {
  readonly answer: TSchema;
  /** Converts the stored value for answers; by default, they show it as it is. */
  readonly show?: (value: T) => unknown;
  readonly given?: TSchema;
  /** It may be null. */
  readonly optional?: true;
  /** Converts the value of a request, undefined if left out, to the value to store. */
  readonly parse?: (value: G | undefined, attribute: string, workspace: Workspace) => T;
}

/** A value of any form, stored as JSON. */
export function json<T, G = T>({ answer, show, given, parse, optional, ...options }: Json<T, G>): FieldFactory<T> {
  const plain = columnField<T>({
    declaration: optional ? 'TEXT' : 'TEXT NOT NULL',
    answer,
    read: (row, column) => JSON.parse(textOrNull(row, column) ?? 'null') as T,
    write: (value) => (value === null ? null : JSON.stringify(value)),
    ...options,
  });
  const field: FieldFactory<T> = (attribute) => ({
    ...plain(attribute),
    ...(show ? { show: (_, __, record) => show(valueIn(record(), attribute) as T) } : {}),
  });
  if (!given || !parse) return field;
  return (attribute) => ({
    ...field(attribute),
    given: { schema: given, parse: (value, workspace) => parse(value as G | undefined, attribute, workspace) },
  });
}

/** Any of several words, each once; the known words may depend on the release. */
export function words(known: (workspace: Workspace) => readonly string[]): FieldFactory<readonly string[]> {
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
