import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';

/** What of a value is not as its schema says. */
export type ShapeError = Pick<ErrorObject, 'instancePath' | 'message'>;

/** The schemas are our own, and those that are published are checked by a test. */
const ajv = new Ajv({
  discriminator: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  meta: false,
  validateSchema: false,
});

const compiled = new WeakMap<object, ValidateFunction>();

/** The first way in which a value from outside is not of a schema's shape; undefined where it is. */
export function shapeError(schema: object, value: unknown): ShapeError | undefined {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? undefined : (validate.errors?.[0] ?? { instancePath: '', message: 'is wrong' });
}

/** Whether a value from outside is of a schema's shape. */
export const hasShape = (schema: object, value: unknown): boolean => shapeError(schema, value) === undefined;
