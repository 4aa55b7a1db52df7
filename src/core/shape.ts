import type { ErrorObject } from 'ajv';
import { validatorOf } from './validator.js';

/** A mismatch between a value and its schema. */
export type ShapeError = Pick<ErrorObject, 'instancePath' | 'message'>;

/** Returns the first mismatch between an external value and a schema; undefined if it matches. */
export function shapeError(schema: object, value: unknown): ShapeError | undefined {
  const validate = validatorOf('shape', schema);
  return validate(value) ? undefined : (validate.errors?.[0] ?? { instancePath: '', message: 'is wrong' });
}

/** Whether an external value matches a schema. */
export const hasShape = (schema: object, value: unknown): boolean => shapeError(schema, value) === undefined;
