import { rowSourceSchema } from '#core/jobs/source.js';
import { object } from '#core/model/fields.js';
import { type Static, Type } from '#core/model/schema.js';
import { chainSchema } from './chain-schema.js';
import { fleetsSchema } from './fleet-schema.js';
import { guardsSchema, rulesSchema } from './guard-schema.js';
import { notifySchema } from './notify-schema.js';
import { pageSchema } from './page-schema.js';
import { reviewsSchema } from './reviews-schema.js';

const { file, worksheet, headerRow, delimiter, encoding, where } = rowSourceSchema.properties;
const tableSchema = object(
  { file, worksheet, headerRow, delimiter, encoding, where },
  { description: 'Where the table is, and which of its rows count.' },
);

const credentialsSchema = (description: string) =>
  object(
    {
      email: Type.Optional(Type.String({ description: 'Login name. May contain ${env.NAME}.' })),
      password: Type.Optional(Type.String({ description: 'Only as ${env.NAME}: a plain-text password is refused.' })),
      passwordCommand: Type.Optional(
        Type.String({ minLength: 1, description: 'A command that prints the password, such as `pass show plm`.' }),
      ),
      workspaceId: Type.Optional(
        Type.Union([Type.String(), Type.Integer()], {
          description: 'The id of the workspace to log in to. The login must return the same id.',
        }),
      ),
    },
    { description },
  );

const variablesSchema = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: 'Values of ${var.NAME} in manifests, by name.' }),
);

/** A text is the URL of a database; otherwise one member selects the kind of ledger. */
const ledgerSchema = Type.Optional(
  Type.Unsafe<string | { git?: GitLedger | null; file?: FileLedger | null }>({
    type: ['string', 'object'],
    minLength: 1,
    properties: {
      git: object(
        {
          remote: Type.Optional(
            Type.String({ minLength: 1, description: 'A remote of the project, or a URL; `origin` by default.' }),
          ),
          branch: Type.Optional(
            Type.String({ minLength: 1, description: 'The branch that holds it; `dexsync-ledger` by default.' }),
          ),
        },
        { description: 'Keeps the ledger in a branch of a git repository, for a team and its pipelines.' },
      ),
      file: object(
        {
          folder: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'The folder, relative to the configuration; `.dexsync/ledger` by default.',
            }),
          ),
        },
        { description: 'Keeps the ledger in files (the default).' },
      ),
    },
    additionalProperties: false,
    description:
      'Where the ledger and the locks are kept: `{ file: {} }` (the default), `{ git: {} }`, or the URL of a PostgreSQL database, such as postgres://sync@db.example.com/dexsync. May contain ${env.NAME}. An embedded workspace uses files unless its environment sets `ledger`.',
  }),
);

interface GitLedger {
  remote?: string | null;
  branch?: string | null;
}

interface FileLedger {
  folder?: string | null;
}

const environmentSchema = object(
  {
    from: Type.Optional(
      Type.Union([Type.String({ minLength: 1, description: 'File of the table.' }), tableSchema], {
        description:
          'A table, such as sites.csv: makes an environment of each of its rows. ${row.COLUMN} is the cell of a row, in all texts but commands, which find it in the variable ROW_COLUMN.',
      }),
    ),
    name: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Name of the environment of a row, such as site-${row.Code}; by default the column "name".',
      }),
    ),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Texts by name, by which `--where` and fleets select environments.',
      }),
    ),
    workspace: Type.Optional(
      Type.Literal('embedded', {
        description:
          'The workspace included in this package; it starts automatically and keeps its data under .dexsync/.',
      }),
    ),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Base URL of the service, including the version, such as https://plm.example.com/v1. Plain http is allowed for this machine only.',
      }),
    ),
    profile: Type.Optional(
      Type.String({ minLength: 1, description: "The service's API dialect: reference or arena." }),
    ),
    production: Type.Optional(
      Type.Boolean({ description: 'Marks a production workspace: destructive plans must be confirmed.' }),
    ),
    credentials: Type.Optional(credentialsSchema('How to log in.')),
    readCredentials: Type.Optional(
      credentialsSchema('The login of commands that only read, so that they need not wait for a command that writes.'),
    ),
    ledger: ledgerSchema,
    keepRequests: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Requests of the daily quota that an apply leaves for others; by default 5% of the quota, and at least 20.',
      }),
    ),
    previewRequests: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Requests that a plan may spend on comparing rows of imports (`preview: auto`), and that `drift --data` may spend; by default 50, and at most a tenth of those left today.',
      }),
    ),
    variables: variablesSchema,
    manifests: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        description: 'Files and folders with manifests of this environment only.',
      }),
    ),
    overlay: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'A file or folder of partial manifests that are merged into those of the same kind and name in this environment.',
      }),
    ),
    guards: guardsSchema,
    usageReason: Type.Optional(
      Type.String({
        pattern: '^[^/\\s]+/\\S+$',
        description: 'Integration name and product version as NAME/VERSION, sent with every request',
      }),
    ),
  },
  { description: 'One workspace: `workspace: embedded`, or a `url`.' },
);

/** `sync.config.yaml` (design, section 2). */
export const configSchema = object({
  stack: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    description: 'A name of letters, digits, ".", "_" and "-".',
  }),
  manifests: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    description: 'Files and folders that contain manifests.',
  }),
  kinds: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      uniqueItems: true,
      description:
        'Modules with kinds of your own, such as ./kinds/supplier.mjs. They are code: dexsync loads them only with `--trust`.',
    }),
  ),
  adopt: Type.Optional(
    Type.Union([Type.Literal('ask'), Type.Literal('matching'), Type.Literal('never')], {
      description:
        'Whether objects that this stack did not create are adopted: when the plan is confirmed (ask, the default), only if nothing differs (matching), or never.',
    }),
  ),
  manage: Type.Optional(
    Type.Literal('full', {
      description:
        'full: `metadata.manage: full` for every manifest, so that fields that no manifest names stay as they were last applied or first seen.',
    }),
  ),
  ledger: ledgerSchema,
  fileStore: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A folder, relative to the configuration, that keeps the files of committed imports by their content, so that `promote --with-data` finds them though the project has others by then. Never a part of the ledger.',
    }),
  ),
  imports: Type.Optional(
    object(
      {
        errorReports: Type.Optional(
          object(
            {
              folder: Type.Optional(
                Type.String({
                  minLength: 1,
                  description:
                    'A folder, relative to the configuration, that gets them; .dexsync/imports by default. They contain rows: keep it out of git.',
                }),
              ),
              keep: Type.Optional(
                Type.Integer({ minimum: 1, description: 'How many are kept, the newest; all by default.' }),
              ),
              megabytes: Type.Optional(
                Type.Integer({ minimum: 1, description: 'How large they may be together; any size by default.' }),
              ),
            },
            { description: 'Where the reports of imports with failed rows are kept, and how many of them.' },
          ),
        ),
      },
      { description: 'Settings of all imports.' },
    ),
  ),
  defaultEnvironment: Type.Optional(
    Type.String({ description: 'The environment used if neither --env nor DEXSYNC_ENV is given.' }),
  ),
  variables: variablesSchema,
  guards: guardsSchema,
  rules: rulesSchema,
  promotion: chainSchema,
  fleets: fleetsSchema,
  reviews: Type.Optional(reviewsSchema),
  page: pageSchema,
  notify: notifySchema,
  environments: Type.Record(Type.String(), environmentSchema, { description: 'Environments by name.' }),
});

/** `sync.config.yaml` after it passed its schema; a field may still be `null`. */
export type ConfigFile = Static<typeof configSchema>;
/** One entry of `environments`, before overrides and variables. */
export type EnvironmentSettings = Static<typeof environmentSchema>;
/** `ledger`, of the file or of an environment. */
export type LedgerSection = NonNullable<ConfigFile['ledger']>;
/** `guards`, of the file or of an environment. */
export type GuardsSection = NonNullable<ConfigFile['guards']>;
/** One entry of `promotion`. */
export type StageSection = NonNullable<ConfigFile['promotion']>[number];
/** One entry of `rules`, with its condition as text. */
export type RuleSection = NonNullable<ConfigFile['rules']>[number];
