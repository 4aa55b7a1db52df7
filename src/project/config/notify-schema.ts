import { object } from '#core/model/fields.js';
import { type Shape, Type } from '#core/model/schema.js';

/** What a target can hear of. */
export const NOTICES = ['waiting', 'drifted', 'failed', 'recovered'] as const;

/** One of `NOTICES`. */
export type NoticeKind = (typeof NOTICES)[number];

const targetSchema = object(
  {
    webhook: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'The URL that gets a POST. Everybody who knows it can write there, so it is accepted as ${env.NAME} only.',
      }),
    ),
    as: Type.Optional(
      Type.Unsafe<'slack' | 'teams' | 'json'>(
        { type: 'string', enum: ['slack', 'teams', 'json'] },
        {
          description:
            'What the webhook understands: that of a Slack app, of a workflow of Microsoft Teams, or plain JSON (the default).',
        },
      ),
    ),
    mail: Type.Optional(
      object(
        {
          server: Type.String({
            minLength: 1,
            description:
              'As smtp://HOST:PORT or smtps://HOST:PORT. A user and a password may stand before the host, the password only as ${env.NAME}.',
          }),
          from: Type.String({ minLength: 3, description: 'The address of the sender.' }),
          to: Type.Array(Type.String({ minLength: 3 }), { minItems: 1, description: 'The addresses that get it.' }),
        },
        { description: 'An e-mail over SMTP.' },
      ),
    ),
    on: Type.Optional(
      Type.Array(Type.Unsafe<NoticeKind>({ type: 'string', enum: [...NOTICES] }), {
        minItems: 1,
        uniqueItems: true,
        description:
          'What it hears of: what waits for a person, what drifted, failed, or recovered; all of them by default.',
      }),
    ),
    environments: Type.Optional(
      Type.String({
        pattern: '\\S',
        description:
          'Of which environments it hears: names and patterns, separated by commas, such as prod, site-*. All by default.',
      }),
    ),
  },
  { description: 'A place where people hear of it: a `webhook`, or `mail`.' },
);

/** A target of notifications, as the configuration has it. */
export type NotifyTarget = Shape<typeof targetSchema>;

export const notifySchema = Type.Optional(
  Type.Array(targetSchema, {
    description:
      'Who is notified when something waits for a person, drifted, failed or recovered; once, not at every round.',
  }),
);
