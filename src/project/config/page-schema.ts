import { object } from '#core/model/fields.js';
import { type Shape, Type } from '#core/model/schema.js';

const values = (description: string) => Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description });

const rolesSchema = object(
  {
    claim: Type.Optional(
      Type.String({ minLength: 1, description: 'The claim that names them, a text or a list; `groups` by default.' }),
    ),
    view: values('Values of the claim that may see everything but cells of rows.'),
    data: Type.Optional(values('Values that may see cells of rows too; nobody by default.')),
    operate: Type.Optional(
      values('Values that may look for drift, and pause and stop rollouts, too; nobody by default.'),
    ),
    review: Type.Optional(
      values('Values that may give verdicts by a click, too, if the page has a `reviewKey`; nobody by default.'),
    ),
  },
  { description: 'Who may do what.' },
);

const loginSchema = object(
  {
    issuer: Type.String({
      minLength: 1,
      description: 'The URL of the OpenID provider, such as https://login.example.com/realms/plm.',
    }),
    clientId: Type.String({ minLength: 1, description: 'The name of this page there.' }),
    clientSecret: Type.Optional(
      Type.String({ description: 'Only as ${env.NAME}: a secret in plain text is refused. None for a public client.' }),
    ),
    clientSecretCommand: Type.Optional(Type.String({ minLength: 1, description: 'A command that prints the secret.' })),
    clientAuthentication: Type.Optional(
      Type.Union([Type.Literal('basic'), Type.Literal('post')], {
        description: 'How the secret is sent, as the provider asks for it; basic by default.',
      }),
    ),
    scope: Type.Optional(
      Type.String({ minLength: 1, description: 'What the login asks for; `openid email` by default.' }),
    ),
    roles: rolesSchema,
  },
  { description: 'Login by OpenID Connect.' },
);

/** The page that `serve` serves. */
export const pageSchema = Type.Optional(
  object(
    {
      url: Type.String({
        minLength: 1,
        description:
          'Where people open it, such as https://plm-config.example.com. Plain http is allowed for this machine only.',
      }),
      login: loginSchema,
      reviewKey: Type.Optional(
        Type.String({
          minLength: 1,
          description:
            'The file of an SSH key, relative to the configuration, with which the page signs verdicts that people click: roles of `reviews` say whether they count.',
        }),
      ),
    },
    { description: 'The page of `dexsync serve` for a team. Without it, the page is for this machine only.' },
  ),
);

/** The page of a configuration. */
export type PageSection = Shape<NonNullable<typeof pageSchema>>;
