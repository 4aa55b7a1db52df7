import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';

const ajv = new Ajv({ allErrors: true, addUsedSchema: false });

/** Checks by a schema that is compiled when it is asked for first: a workspace is started far more often than a route is called. */
export function validatorOf({ schema }: { readonly schema: unknown }): (data: unknown) => boolean {
  let compiled: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    compiled ??= ajv.compile(schema as AnySchema);
    const valid = compiled(data);
    validate.errors = compiled.errors;
    return valid;
  };
  validate.errors = undefined as ValidateFunction['errors'];
  return validate;
}
