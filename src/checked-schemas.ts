import { builtIn } from './catalog.js';
import { configSchema } from './config/config-schema.js';
import { applyFactsSchema } from './ledger/apply-facts.js';
import { RECORDS } from './ledger/journal-record.js';
import { snapshotSchema } from './ledger/snapshot.js';
import { entrySchema, reviewSchema } from './ledger/stored-plan.js';
import { envelope } from './manifest/envelope.js';
import { planSchema } from './model/plan.js';
import { keyOf, type Purpose } from './validator.js';

export { compilerFor } from './validator.js';

const SCHEMAS: Readonly<Record<Purpose, readonly object[]>> = {
  findings: [configSchema, envelope, ...[...builtIn.kinds, ...builtIn.jobs].map(({ schema }) => schema)],
  shape: [planSchema, ...Object.values(RECORDS), applyFactsSchema, snapshotSchema, entrySchema, reviewSchema],
};

/** What the build compiles a validator of: the schemas that values are checked by, but for those of a project's own kinds. */
export const CHECKED_SCHEMAS = (['findings', 'shape'] as const).flatMap((purpose) =>
  SCHEMAS[purpose].map((schema) => ({ purpose, schema, key: keyOf(purpose, schema) })),
);
