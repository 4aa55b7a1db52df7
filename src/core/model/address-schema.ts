import type { Address } from './address.js';
import { Type } from './schema.js';

/** The schema of an address that is only passed on. */
export const addressSchema = Type.Unsafe<Address>({ type: 'string', minLength: 1 });

/** The schema of an address that a reader splits: `Kind/name`. */
export const kindAndNameSchema = Type.Unsafe<Address>({ type: 'string', pattern: '^\\w+/.' });
