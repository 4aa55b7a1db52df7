import { Ajv, type ValidateFunction } from 'ajv';

/** The schemas are our own: to check them takes longer than to compile one. */
const ajv = new Ajv({ allErrors: true, addUsedSchema: false, meta: false, validateSchema: false });

/** By the text of the schema, since each workspace of a process has objects of its own. */
const compiled = new Map<string, ValidateFunction>();

/** Checks by a schema that is compiled when it is asked for first: a workspace is started far more often than a route is called. */
export function validatorOf({ schema }: { readonly schema: unknown }): (data: unknown) => boolean {
  let own: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    own ??= compile(schema);
    const valid = own(data);
    validate.errors = own.errors;
    return valid;
  };
  validate.errors = undefined as ValidateFunction['errors'];
  return validate;
}

function compile(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text));
  compiled.set(text, known);
  return known;
}
