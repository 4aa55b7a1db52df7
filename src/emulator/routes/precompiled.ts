import type { ValidateFunction } from 'ajv';

/**
 * Validators by the key that `schemaKey` of `validator.ts` returns. The build puts those of all routes here; in the
 * sources, this is empty, and each is compiled on first use.
 */
export const precompiled: Readonly<Record<string, ValidateFunction>> = {};
