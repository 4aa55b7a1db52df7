import { refuse, ServiceError } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { FieldFactory } from './field.js';

/** Makes a field unique, ignoring letter case. `refusal` is the error, or the words for an entry: `a policy`. */
export function unique(
  field: FieldFactory<string>,
  refusal: string | ((value: string) => ServiceError),
): FieldFactory<string> {
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

/** Limits the length in characters; refuses a longer text with 3101. */
export const limited = <T extends string | null>(most: number, field: FieldFactory<T>): FieldFactory<T> => {
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

/** Makes the stamp of a change that of the creation, too. */
export const sinceCreation = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => {
    const { stamp, ...own } = field(name);
    return { ...own, stamp: { ...(stamp?.changed && { made: stamp.changed }), ...stamp } };
  };
};

/** Leaves a field out of the compact view. */
export const fullOnly = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => ({ ...field(name), fullOnly: true });
};

/** Shows a field only where the documented shape of an answer has it. */
export const documentedOnly = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => ({ ...field(name), documentedOnly: true });
};

/** Shows a field only if updates accept it in the dialect. */
export const updatableOnly = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => ({ ...field(name), updatableOnly: true });
};

/** Leaves a field out of the entries of a list if the parameter says so, or is left out and `otherwise` says so. */
export const onDemand = <T>(parameter: string, field: FieldFactory<T>, otherwise = true): FieldFactory<T> => {
  return (name) => ({ ...field(name), onDemand: { parameter, otherwise } });
};

/** Makes a field read-only: a record keeps the value that it was created with. */
export const fixed = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => {
    const { given: _, ...rest } = field(name);
    return rest;
  };
};

/** Lets the rules of the family write a field that no request gives by its name. */
export const ruled = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => ({ ...field(name), ruled: true });
};

/** Stores a field that is never shown or searched. */
export const hidden = <T>(field: FieldFactory<T>): FieldFactory<T> => {
  return (name) => {
    const { answer: _, given: __, searched: ___, ...rest } = field(name);
    return rest;
  };
};
