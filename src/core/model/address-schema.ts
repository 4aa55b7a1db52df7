import type { Address } from './address.js';
import { Type } from './schema.js';

/** The schema of an address that is only carried on. */
export const addressSchema = Type.Unsafe<Address>({ type: 'string', minLength: 1 });

/** The same where a reader takes it apart: `Kind/name`. */
export const kindAndNameSchema = Type.Unsafe<Address>({ type: 'string', pattern: '^\\w+/.' });
