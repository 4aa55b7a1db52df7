import type { ErrorObject } from 'ajv';
import { validatorOf } from './validator.js';

/** What of a value is not as its schema says. */
export type ShapeError = Pick<ErrorObject, 'instancePath' | 'message'>;

/** The first way in which a value from outside is not of a schema's shape; undefined where it is. */
export function shapeError(schema: object, value: unknown): ShapeError | undefined {
  const validate = validatorOf('shape', schema);
  return validate(value) ? undefined : (validate.errors?.[0] ?? { instancePath: '', message: 'is wrong' });
}

/** Whether a value from outside is of a schema's shape. */
export const hasShape = (schema: object, value: unknown): boolean => shapeError(schema, value) === undefined;
