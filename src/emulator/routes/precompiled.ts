import type { ValidateFunction } from 'ajv';

/**
 * Validators by what `keyOf` of `validator.ts` gives. The build puts those of all routes here; as sources this is empty,
 * and each is compiled when it is used first.
 */
export const precompiled: Readonly<Record<string, ValidateFunction>> = {};
