import { type Shape, Type } from '../model/schema.js';

const text = (description: string) => Type.String({ description });
const optionalText = (description: string) => Type.Optional(text(description));

const actorSchema = Type.Object({
  login: text('The e-mail address used to log in to the service.'),
  user: optionalText('The operating system user, if there is one.'),
});

const gitFactsSchema = Type.Object(
  {
    commit: Type.String(),
    branch: optionalText('Absent if no branch was checked out.'),
    dirty: Type.Union([Type.Literal('yes'), Type.Literal('no')], {
      description: "Whether the repository had uncommitted changes, apart from dexsync's own data.",
    }),
  },
  { description: 'Of the project folder; absent if it is not in a repository, or if git was missing or too slow.' },
);

/** The shape of PipelineRun. */
export const pipelineRunSchema = Type.Object(
  { name: Type.String(), url: Type.Optional(Type.String()), by: optionalText('Who started it.') },
  { description: 'The pipeline run, if it was started by one.' },
);

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

/** The shape of ApplyFacts, for journals that are read and for the schema of one that is published. */
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
    actor: actorSchema,
    host: text('The machine.'),
    pid: Type.Integer({ description: 'The process on it.' }),
    version: text('Of dexsync.'),
    git: Type.Optional(gitFactsSchema),
    ci: Type.Optional(pipelineRunSchema),
    reason: optionalText('`--reason`.'),
    savedPlan: Type.Optional(savedPlanFactsSchema),
    digest: text('SHA-256 of the plan as canonical JSON.'),
  },
  { description: 'Who applied a plan, where, from what and why.' },
);

/** Who applied a plan, where, from what and why. The first record of a journal has it; those of old versions have not. */
export interface ApplyFacts extends Shape<typeof applyFactsSchema> {}

/** Who did something: the login at the service, and the user of the machine where it has one. */
export interface Actor extends Shape<typeof actorSchema> {}

/** What was checked out in the project's folder. */
export type GitFacts = Shape<typeof gitFactsSchema>;

/** The run of a pipeline, by the name of its maker. */
export type PipelineRun = Shape<typeof pipelineRunSchema>;

/** A plan of the ledger that was applied, with its reviews. */
export type SavedPlanFacts = Shape<typeof savedPlanFactsSchema>;
