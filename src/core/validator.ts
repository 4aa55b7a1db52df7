import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { TRAITS } from './model/fields.js';
import { precompiled } from './precompiled.js';

/**
 * What a check is for. `findings`: everything that is wrong in what people wrote, with the value and its schema. `shape`: the first
 * thing that is wrong in what a program wrote.
 */
export type Purpose = 'findings' | 'shape';

/** The schemas are our own: a test checks them, and code that runs once or twice is not worth optimizing. */
const OPTIONS: Readonly<Record<Purpose, Options>> = {
  findings: {
    allErrors: true,
    verbose: true,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    meta: false,
    validateSchema: false,
    keywords: [TRAITS],
    code: { optimize: false },
  },
  shape: {
    discriminator: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    meta: false,
    validateSchema: false,
  },
};

const require = createRequire(import.meta.url);

/** What compiles schemas for a purpose; it is loaded now, since most commands need none. */
export function compilerFor(purpose: Purpose, options: Options = {}): Ajv {
  const { Ajv: Compiler } = require('ajv') as typeof import('ajv');
  return new Compiler({ ...OPTIONS[purpose], ...options });
}

/** Changes with everything that a validator is compiled from, so that none can be out of date. */
export const keyOf = (purpose: Purpose, schema: object): string =>
  `${purpose}_${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}`;

const compilers = new Map<Purpose, Ajv>();
const validators = {
  findings: new WeakMap<object, ValidateFunction>(),
  shape: new WeakMap<object, ValidateFunction>(),
};

/** The validator of a schema: the one of the build, or else one that is compiled now. */
export function validatorOf(purpose: Purpose, schema: object): ValidateFunction {
  const known = validators[purpose].get(schema);
  if (known !== undefined) return known;
  const validator = precompiled[keyOf(purpose, schema)] ?? compile(purpose, schema);
  validators[purpose].set(schema, validator);
  return validator;
}

function compile(purpose: Purpose, schema: object): ValidateFunction {
  const compiler = compilers.get(purpose) ?? compilerFor(purpose);
  compilers.set(purpose, compiler);
  return compiler.compile(schema);
}
