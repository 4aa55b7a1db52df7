import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { precompiled } from './precompiled.js';

/** How schemas are compiled. They are our own: to check them takes longer than to compile one. */
export const OPTIONS: Options = { allErrors: true, addUsedSchema: false, meta: false, validateSchema: false };

/** The same for schemas of the same text, since each workspace of a process has objects of its own. */
export const keyOf = (schema: unknown): string =>
  `route_${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}`;

const validators = new Map<string, ValidateFunction>();

/** Checks by a schema whose validator is found when it is asked for first: a workspace is started far more often than a route is called. */
export function validatorOf({ schema }: { readonly schema: unknown }): (data: unknown) => boolean {
  let own: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    own ??= find(schema);
    const valid = own(data);
    validate.errors = own.errors;
    return valid;
  };
  validate.errors = undefined as ValidateFunction['errors'];
  return validate;
}

function find(schema: unknown): ValidateFunction {
  const key = keyOf(schema);
  const known = validators.get(key) ?? precompiled[key] ?? compile(schema);
  validators.set(key, known);
  return known;
}

let compiler: Ajv | undefined;

/** To load the compiler takes as long as to start the server; only schemas that the build does not know need it. */
function compile(schema: unknown): ValidateFunction {
  compiler ??= new (createRequire(import.meta.url)('ajv') as typeof import('ajv')).Ajv(OPTIONS);
  return compiler.compile(JSON.parse(JSON.stringify(schema)));
}
