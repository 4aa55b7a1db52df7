import { refuse, ServiceError } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Unnamed } from './field.js';

/** No other record has the same, letter case aside. The refusal is given, or what it calls an entry: `a policy`. */
export function unique(field: Unnamed<string>, refusal: string | ((value: string) => ServiceError)): Unnamed<string> {
  return (name) => {
    const own = field(name);
    if (!own.column) return own;
    const declaration = own.column.declaration.replace('NOT NULL', 'NOT NULL UNIQUE');
    const taken = typeof refusal === 'string' ? takenBy(refusal, name) : refusal;
    return { ...own, column: { ...own.column, declaration }, taken: (value) => taken(value) };
  };
}

const takenBy = (one: string, name: string) => (value: string) =>
  refuse.invalid(name, `${one} named "${value}" exists already.`);

/** No longer than this in characters; code 3101 otherwise. */
export const limited = <T extends string | null>(most: number, field: Unnamed<T>): Unnamed<T> => {
  return (name) => {
    const { given, ...rest } = field(name);
    if (!given) return rest;
    const parse = (value: unknown, workspace: Workspace): T => fitting(given.parse(value, workspace), name, most);
    return { ...rest, given: { schema: given.schema, parse } };
  };
};

function fitting<T extends string | null>(value: T, name: string, most: number): T {
  if (value === null || value.length <= most) return value;
  const message = `"${name}" takes ${most} characters at most, not ${value.length}.`;
  throw new ServiceError({ code: 3101, message });
}

/** Left out of the compact view. */
export const fullOnly = <T>(field: Unnamed<T>): Unnamed<T> => {
  return (name) => ({ ...field(name), fullOnly: true });
};

/** Shown only where the dialect lets an update take it. */
export const updatableOnly = <T>(field: Unnamed<T>): Unnamed<T> => {
  return (name) => ({ ...field(name), updatableOnly: true });
};

/** Left out of the entries of a list whose parameter says so. */
export const onDemand = <T>(parameter: string, field: Unnamed<T>): Unnamed<T> => {
  return (name) => ({ ...field(name), onDemand: parameter });
};

/** No request says it: a record keeps what it was made with. */
export const fixed = <T>(field: Unnamed<T>): Unnamed<T> => {
  return (name) => {
    const { given: _, ...rest } = field(name);
    return rest;
  };
};

/** Stored, and never shown or searched. */
export const hidden = <T>(field: Unnamed<T>): Unnamed<T> => {
  return (name) => {
    const { answer: _, given: __, searched: ___, ...rest } = field(name);
    return rest;
  };
};
