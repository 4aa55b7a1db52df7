import { object } from '#core/model/fields.js';
import { type Shape, Type } from '#core/model/schema.js';

const roleSchema = object(
  {
    members: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Their names in the file of allowed signers.',
    }),
    required: Type.Optional(Type.Integer({ minimum: 0, description: 'How many of them must approve; 0 by default.' })),
    page: Type.Optional(
      Type.Boolean({ description: 'Whether verdicts count that they clicked on the page of `dexsync serve`.' }),
    ),
  },
  { description: 'People who review.' },
);

const forgeSchema = (what: string, token: string) =>
  Type.Optional(
    object(
      { approvals: Type.Integer({ minimum: 1, description: 'How many people must approve it there.' }) },
      { description: `Approvals of the ${what} that the commit belongs to, read with the token in ${token}.` },
    ),
  );

/** `reviews` of the configuration. */
export const reviewsSchema = object(
  {
    required: Type.Optional(
      Type.Integer({ minimum: 0, description: 'How many people must approve what is applied; 1 by default.' }),
    ),
    notAuthor: Type.Optional(
      Type.Boolean({ description: 'Whether approvals by authors of the change do not count; true by default.' }),
    ),
    roles: Type.Optional(
      Type.Record(Type.String(), roleSchema, { description: 'Who reviews, by role; all allowed signers by default.' }),
    ),
    allowedSigners: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The file of allowed signers in the format of ssh-keygen(1), relative to the configuration; `allowed_signers` by default.',
      }),
    ),
    environments: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description:
          'Names and patterns, such as site-*, of the environments that only take what was approved; those with `production: true` by default.',
      }),
    ),
    forge: Type.Optional(
      object(
        {
          github: forgeSchema('pull request', 'GITHUB_TOKEN'),
          gitlab: forgeSchema('merge request', 'GITLAB_TOKEN'),
        },
        { description: 'Approvals on a forge, which are needed as well as those that people signed.' },
      ),
    ),
    validFor: Type.Optional(
      Type.String({
        pattern: '^\\d{1,5}[hdw]$',
        description: 'How long an approval holds, such as 14d; 30d by default.',
      }),
    ),
  },
  {
    description:
      'Requires signed approvals. Read from the default branch of the remote, or from the branch in DEXSYNC_REVIEWS_REF, never from the change under review.',
  },
);

/** `reviews` of a configuration. */
export type ReviewsSection = Shape<typeof reviewsSchema>;
