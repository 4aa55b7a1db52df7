import type { ValidateFunction } from 'ajv';

/**
 * Validators by what `keyOf` of `validator.ts` gives. To compile one takes longer than a short command: the build puts those of
 * `checked-schemas.ts` here; as sources this is empty, and each is compiled when it is used first.
 */
export const precompiled: Readonly<Record<string, ValidateFunction>> = {};
