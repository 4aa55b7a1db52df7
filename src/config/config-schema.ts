import { object } from '../model/fields.js';
import { type Static, Type } from '../model/schema.js';
import { guardsSchema, rulesSchema } from './guard-schema.js';

const credentialsSchema = (description: string) =>
  object(
    {
      email: Type.Optional(Type.String({ description: 'Login name. May hold ${env.NAME}.' })),
      password: Type.Optional(Type.String({ description: 'Only as ${env.NAME}: a password in a file is refused.' })),
      passwordCommand: Type.Optional(
        Type.String({ minLength: 1, description: 'A command that prints the password, such as `pass show plm`.' }),
      ),
      workspaceId: Type.Optional(
        Type.Union([Type.String(), Type.Integer()], {
          description: 'The workspace to log in to. Login must return it.',
        }),
      ),
    },
    { description },
  );

const variablesSchema = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'What manifests write as ${var.NAME}, by name.' }),
);

const environmentSchema = object(
  {
    workspace: Type.Optional(
      Type.Literal('embedded', {
        description: 'The workspace in this package; starts by itself, data under .dexsync/.',
      }),
    ),
    url: Type.Optional(
      Type.String({ minLength: 1, description: 'Base address of the service. Plain http only to this machine.' }),
    ),
    profile: Type.Optional(Type.String({ minLength: 1, description: 'The wire dialect: reference or arena.' })),
    production: Type.Optional(Type.Boolean({ description: 'Marks a workspace in which mistakes are dear.' })),
    credentials: Type.Optional(credentialsSchema('How to log in.')),
    readCredentials: Type.Optional(
      credentialsSchema('How commands that only read log in, so that they need not wait for one that writes.'),
    ),
    keepRequests: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Requests of a day that an apply leaves for others; by default 5 % of them, and 20 at least.',
      }),
    ),
    variables: variablesSchema,
    guards: guardsSchema,
    usageReason: Type.Optional(
      Type.String({
        pattern: '^[^/\\s]+/\\S+$',
        description: '{Integration Name}/{Product Version}, sent with every request',
      }),
    ),
  },
  { description: 'One workspace to reach: `workspace: embedded`, or a url.' },
);

/** `sync.config.yaml` (design, section 2). */
export const configSchema = object({
  stack: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    description: 'a name of letters, digits, ".", "_" and "-"',
  }),
  manifests: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Files and folders of manifests.' }),
  adopt: Type.Optional(
    Type.Union([Type.Literal('ask'), Type.Literal('matching'), Type.Literal('never')], {
      description:
        'What happens to objects that this stack did not make: taken over when the plan is confirmed (ask, the default), only where nothing differs (matching), or never.',
    }),
  ),
  defaultEnvironment: Type.Optional(Type.String({ description: 'Used where neither --env nor DEXSYNC_ENV chooses.' })),
  variables: variablesSchema,
  guards: guardsSchema,
  rules: rulesSchema,
  environments: Type.Record(Type.String(), environmentSchema, { description: 'Environments by name.' }),
});

/** `sync.config.yaml` as it passed its schema; a field may still be `null`. */
export type ConfigFile = Static<typeof configSchema>;
/** One entry of `environments`, before overrides and variables. */
export type EnvironmentSettings = Static<typeof environmentSchema>;
/** `guards`, of the file or of an environment. */
export type GuardsSection = NonNullable<ConfigFile['guards']>;
/** One entry of `rules`, its condition still a text. */
export type RuleSection = NonNullable<ConfigFile['rules']>[number];
