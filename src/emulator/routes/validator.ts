import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { precompiled } from './precompiled.js';

/** The options of the compiler. It does not check the schemas, which are our own: checks take longer than compiling. */
export const OPTIONS: Options = {
  ...{ allErrors: true, allowUnionTypes: true },
  ...{ addUsedSchema: false, meta: false, validateSchema: false },
};

/** Computes a key from the text of a schema, since each workspace of a process has its own objects. */
export const schemaKey = (schema: unknown): string =>
  `route_${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}`;

const validators = new Map<string, ValidateFunction>();

interface RouteSchema {
  readonly schema: unknown;
  /** The part of requests that it describes: `body`, `querystring`. */
  readonly httpPart?: string;
}

/** Whether a validator checks the part: queries are text, which the rules parse and refuse with codes of their own. */
export const isChecked = ({ schema, httpPart }: RouteSchema): boolean =>
  httpPart !== 'querystring' || (schema as { additionalProperties?: boolean }).additionalProperties !== true;

/** Returns a validator that is found on first use, since workspaces start far more often than a route is requested. */
export function routeValidator(route: RouteSchema): (data: unknown) => boolean {
  const { schema } = route;
  if (!isChecked(route)) return () => true;
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
  const key = schemaKey(schema);
  const known = validators.get(key) ?? precompiled[key] ?? compile(schema);
  validators.set(key, known);
  return known;
}

let compiler: Ajv | undefined;

/** Compiles a schema that the build does not know. Loading the compiler takes as long as starting the server. */
function compile(schema: unknown): ValidateFunction {
  compiler ??= new (createRequire(import.meta.url)('ajv') as typeof import('ajv')).Ajv(OPTIONS);
  return compiler.compile(JSON.parse(JSON.stringify(schema)));
}
