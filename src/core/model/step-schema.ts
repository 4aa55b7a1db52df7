import { acknowledgementSchema } from './acknowledgement.js';
import type { Address } from './address.js';
import { addressSchema, kindAndNameSchema } from './address-schema.js';
import { originSchema } from './diagnostic-schema.js';
import { objectFactSchema } from './object-fact.js';
import { rowsPreviewSchema } from './rows-preview.js';
import { nameSchema, Type } from './schema.js';
import { fieldChangeSchema, specSchema, writeSchema } from './write-schema.js';

/** The action of a step. `blocked` and `manual` steps send nothing; they are listed so that nobody misses them. */
export const ACTIONS = [
  'create',
  'update',
  'replace',
  'delete',
  /** Renamed away, if the service deletes no objects of its kind. */
  'retire',
  'rename',
  'adopt',
  /** The ledger drops an object that is gone from the workspace or given up. */
  'forget',
  /** The ledger records that a manual step was done. */
  'acknowledge',
  'import',
  'manual',
  'blocked',
] as const;

/** One of `ACTIONS`. */
export type Action = (typeof ACTIONS)[number];

const actionSchema = Type.Unsafe<Action>({ type: 'string', enum: ACTIONS });

/** The reason for a step, for programs. People read the step's `message`. */
export type Reason =
  | 'absent'
  | 'differs'
  | 'not-updatable'
  | 'dead-reference'
  | 'renamed'
  | 'not-imported'
  | 'always'
  | 'reviewed'
  | 'unfinished'
  | 'ambiguous'
  | 'answer-odd'
  | 'conflict'
  | 'twin'
  | 'protected'
  | 'not-supported'
  | 'rejected-before'
  | 'imported-before'
  | 'findings'
  | 'dependency-blocked'
  | 'guarded'
  | 'refused-by-rule'
  | 'not-verifiable'
  | 'checked'
  | 'grown'
  | 'asked'
  | 'made-once'
  | 'not-owned'
  | 'other-stack'
  | 'protection'
  | 'pulled'
  | 'renamed-outside'
  | 'replaced-outside'
  | 'not-described'
  | 'destroyed'
  | 'still-referenced'
  | 'not-undone'
  | 'gone';

const textSchema = Type.Optional(Type.String());

const auditSchema = Type.Object(
  { createdAt: textSchema, createdBy: textSchema, changedAt: textSchema, changedBy: textSchema },
  {
    additionalProperties: Type.String(),
    description: 'Who created and last changed the object, according to the service.',
  },
);

export const stepSchema = Type.Object(
  {
    address: kindAndNameSchema,
    action: actionSchema,
    reason: Type.Unsafe<Reason>({ type: 'string', minLength: 1 }),
    message: Type.String({ description: 'The reason as text, with names and numbers.' }),
    fields: Type.Array(fieldChangeSchema),
    writes: Type.Array(writeSchema),
    dependsOn: Type.Array(addressSchema, { description: 'Steps that must have succeeded before this one starts.' }),
    fingerprint: nameSchema('Digest of the observed object, or `absent`; for an import, its key.'),
    liveName: Type.Optional(nameSchema("The object's present name if it differs from the address (a rename).")),
    observed: Type.Optional(specSchema('The object as observed; absent if there was none.')),
    identity: Type.Optional(nameSchema('The identity of the observed object.')),
    audit: Type.Optional(auditSchema),
    fact: Type.Optional(
      Type.Union([Type.Null(), objectFactSchema], {
        description:
          'What the ledger records about the object after the step; null: the entry is removed; absent: no change.',
      }),
    ),
    acknowledgement: Type.Optional(acknowledgementSchema),
    renamedFrom: Type.Optional(
      nameSchema('The former name in the manifest of a new object, if no object has that either.'),
    ),
    formerly: Type.Optional(
      Type.Unsafe<Address>(
        { type: 'string' },
        {
          description: "The object's former address in the ledger, which the step removes.",
        },
      ),
    ),
    preview: Type.Optional(rowsPreviewSchema),
    consent: Type.Optional(
      Type.Union([Type.Literal('given'), Type.Literal('asked')], {
        description:
          'For a step that adopts an object or removes a copy: confirmed when the plan was created, or to be confirmed when it is applied.',
      }),
    ),
    wanted: Type.Optional(
      Type.Unsafe<Action>(
        { type: 'string', minLength: 1 },
        { description: 'For a blocked step: the action that it would have taken.' },
      ),
    ),
    origin: originSchema,
  },
  { description: "One object's difference and the writes that settle it, in order." },
);
