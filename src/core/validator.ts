import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Ajv, Options, ValidateFunction } from 'ajv';
import { TRAITS } from './model/fields.js';
import { precompiled } from './precompiled.js';

/**
 * The purpose of a check. `findings` reports every error in text that people wrote, with the value and its schema.
 * `shape` reports the first error in data that a program wrote.
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

/** Creates the schema compiler for a purpose. Loads ajv only here, since most commands need no compiler. */
export function compilerFor(purpose: Purpose, options: Options = {}): Ajv {
  const { Ajv: Compiler } = require('ajv') as typeof import('ajv');
  return new Compiler({ ...OPTIONS[purpose], ...options });
}

/** A key that changes with every input of a validator, so that a precompiled one is never out of date. */
export const validatorKey = (purpose: Purpose, schema: object): string =>
  `${purpose}_${createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)}`;

const compilers = new Map<Purpose, Ajv>();
const validators = {
  findings: new WeakMap<object, ValidateFunction>(),
  shape: new WeakMap<object, ValidateFunction>(),
};

/** Returns the validator of a schema: the one from the build, or else one that is compiled now. */
export function validatorOf(purpose: Purpose, schema: object): ValidateFunction {
  const known = validators[purpose].get(schema);
  if (known !== undefined) return known;
  const validator = precompiled[validatorKey(purpose, schema)] ?? compile(purpose, schema);
  validators[purpose].set(schema, validator);
  return validator;
}

function compile(purpose: Purpose, schema: object): ValidateFunction {
  const compiler = compilers.get(purpose) ?? compilerFor(purpose);
  compilers.set(purpose, compiler);
  return compiler.compile(schema);
}
