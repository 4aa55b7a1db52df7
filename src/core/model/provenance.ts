import { type Shape, Type } from './schema.js';

const text = (description: string) => Type.String({ description });
const optionalText = (description: string) => Type.Optional(text(description));

const actorSchema = Type.Object({
  login: text('The e-mail address used to log in to the service.'),
  user: optionalText('The operating system user, if there is one.'),
});

/** The schema of `GitFacts`. */
export const gitFactsSchema = Type.Object(
  {
    repository: optionalText('The URL of its remote, without user, password and query; absent without a remote.'),
    commit: Type.String(),
    branch: optionalText('Absent if no branch was checked out and no pipeline names one.'),
    base: optionalText('The commit that the branch with signers and roles had then; absent without `reviews`.'),
    user: optionalText('`git config user.email`, with `reviews`: who planned it.'),
    dirty: Type.Union([Type.Literal('yes'), Type.Literal('no')], {
      description: "Whether the repository had uncommitted changes, apart from dexsync's own data.",
    }),
  },
  { description: 'Of the project folder; absent if it is not in a repository, or if git was missing or too slow.' },
);

/** The schema of `PipelineRun`. */
export const pipelineRunSchema = Type.Object(
  { name: Type.String(), url: Type.Optional(Type.String()), by: optionalText('Who started it.') },
  { description: 'The pipeline run, if it was started by one.' },
);

/** The members of a Provenance, which facts about an apply also have. */
export const provenanceMembers = {
  actor: actorSchema,
  git: Type.Optional(gitFactsSchema),
  ci: Type.Optional(pipelineRunSchema),
};

/** The schema of `Provenance`. */
export const provenanceSchema = Type.Object(provenanceMembers, {
  description: 'Who did it, from which commit, and in which pipeline run.',
});

/** Who did something, from which commit, and in which pipeline run. */
export interface Provenance extends Shape<typeof provenanceSchema> {}

/** The person who did something: the login at the service, and the operating system user if there is one. */
export interface Actor extends Shape<typeof actorSchema> {}

/** The commit and branch that were checked out in the project's folder. */
export type GitFacts = Shape<typeof gitFactsSchema>;

/** A pipeline run, with the name of its CI system. */
export type PipelineRun = Shape<typeof pipelineRunSchema>;
