import type { ValidateFunction } from 'ajv';

/**
 * Validators by their `validatorKey` (`validator.ts`). Compiling one takes longer than a short command, so the build puts
 * those of `checked-schemas.ts` here. In the sources this is empty, and each is compiled on first use.
 */
export const precompiled: Readonly<Record<string, ValidateFunction>> = {};
