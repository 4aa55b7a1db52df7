import { provenanceMembers, provenanceSchema } from './provenance.js';
import { type Shape, Type } from './schema.js';
import { signedVerdictSchema } from './verdict.js';

const text = (description: string) => Type.String({ description });
const optionalText = (description: string) => Type.Optional(text(description));

const reviewFactsSchema = Type.Object({
  verdict: Type.Union([Type.Literal('approved'), Type.Literal('rejected')]),
  at: Type.String({ description: 'ISO 8601 in UTC.' }),
  by: text('Who reviewed it.'),
  reason: optionalText('`--reason` of the review.'),
});

const savedPlanFactsSchema = Type.Object(
  {
    name: text('Its name in the ledger.'),
    at: Type.String({ description: 'When it was saved, ISO 8601 in UTC.' }),
    by: text('Who saved it.'),
    reason: optionalText('`--reason` of the plan.'),
    reviews: Type.Array(reviewFactsSchema, { description: 'In the order in which they were given.' }),
  },
  { description: 'The saved plan that was applied, if it was one of the ledger.' },
);

const reviewedSchema = Type.Object(
  {
    subject: text('Digest of the changes that were approved.'),
    policies: Type.Array(Type.String(), {
      description: 'The refs and commits whose signers and roles decided: now, and when the plan was created.',
    }),
    approvals: Type.Array(Type.String(), { description: 'The digests of the verdicts that counted.' }),
    verdicts: Type.Array(signedVerdictSchema, { description: 'All verdicts, in their order.' }),
    onForge: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The pull requests and merge requests that were approved as well, and by whom.',
      }),
    ),
  },
  { description: 'The signed verdicts on what was applied, where approvals were needed.' },
);

/** The signed verdicts on what was applied. */
export type ReviewedFacts = Shape<typeof reviewedSchema>;

/** The schema of `PlannedFacts`. */
export const plannedSchema = Type.Object(
  {
    at: text('When it was created, ISO 8601 in UTC.'),
    digest: text('SHA-256 of that plan as canonical JSON.'),
    provenance: Type.Optional(provenanceSchema),
  },
  {
    description:
      'The plan that was saved or reviewed before; absent if the command that applied the plan also created it.',
  },
);

/** The schema of `ApplyFacts`, for reading journals and for their published schema. */
export const applyFactsSchema = Type.Object(
  {
    command: text('`apply`, `import`, `reservations release`.'),
    arguments: Type.Optional(
      Type.Array(Type.String(), {
        description: 'The whole command line, without the values of variables and columns.',
      }),
    ),
    environment: Type.String(),
    stack: Type.String(),
    actor: provenanceMembers.actor,
    host: text('The machine.'),
    pid: Type.Integer({ description: 'The process on it.' }),
    version: text('Of dexsync.'),
    git: provenanceMembers.git,
    ci: provenanceMembers.ci,
    reason: optionalText('`--reason`.'),
    planned: Type.Optional(plannedSchema),
    savedPlan: Type.Optional(savedPlanFactsSchema),
    reviewed: Type.Optional(reviewedSchema),
    digest: text('SHA-256 of the plan as canonical JSON.'),
  },
  { description: 'Who applied a plan, where, from what and why.' },
);

/** Who applied a plan, where, from what and why. The first record of a journal has it, except those of old versions. */
export interface ApplyFacts extends Shape<typeof applyFactsSchema> {}

/** The plan that was saved or reviewed before it was applied, and its author. */
export type PlannedFacts = Shape<typeof plannedSchema>;

/** An applied plan from the ledger, with its reviews. */
export type SavedPlanFacts = Shape<typeof savedPlanFactsSchema>;
