import { builtIn } from '#core/catalog.js';
import { rowSourceSchema } from '#core/jobs/source.js';
import { envelope } from '#core/manifest/envelope.js';
import { applyFactsSchema } from '#core/model/apply-facts.js';
import { planSchema } from '#core/model/plan.js';
import { releaseSchema } from '#core/model/release.js';
import { statementSchema } from '#core/model/verdict.js';
import { type Purpose, validatorKey } from '#core/validator.js';
import { RECORD_SHAPES } from '#ledger/journal-record.js';
import { lastSeenSchema } from '#ledger/last-seen.js';
import { releaseNoteSchema } from '#ledger/release-notes.js';
import { saidSchema } from '#ledger/said.js';
import { snapshotSchema } from '#ledger/snapshot.js';
import { entrySchema, reviewSchema } from '#ledger/stored-plan.js';
import { rolloutNoteSchema, rolloutSchema } from '#ledger/stored-rollout.js';
import { configSchema } from '#project/config/config-schema.js';

export { compilerFor } from '#core/validator.js';

const SCHEMAS: Readonly<Record<Purpose, readonly object[]>> = {
  findings: [
    configSchema,
    envelope,
    rowSourceSchema,
    ...[...builtIn.allKinds, ...builtIn.jobs].map(({ schema }) => schema),
  ],
  shape: [
    planSchema,
    ...Object.values(RECORD_SHAPES),
    applyFactsSchema,
    snapshotSchema,
    entrySchema,
    reviewSchema,
    releaseSchema,
    releaseNoteSchema,
    rolloutSchema,
    rolloutNoteSchema,
    lastSeenSchema,
    statementSchema,
    saidSchema,
  ],
};

/** Schemas that the build compiles validators for, other than those of a project's own kinds. */
export const CHECKED_SCHEMAS = (['findings', 'shape'] as const).flatMap((purpose) =>
  SCHEMAS[purpose].map((schema) => ({ purpose, schema, key: validatorKey(purpose, schema) })),
);
