import { type Static, Type } from '../routes/type.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const oneOf = <const V extends readonly string[]>(values: V) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, description: `one of ${values.join(', ')}` });

const whole = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Integer({
    minimum,
    maximum,
    description: `a whole number from ${minimum}${maximum < 1e9 ? ` to ${maximum}` : ''}`,
  });

const text = (description: string) => Type.String({ minLength: 1, description });

/** The number of answers remembered for each URL, and so how far a read may lag behind. */
export const MOST_REMEMBERED = 10;

/** The keys that select requests. Messages quote their descriptions as the expected values. */
const MATCHING = {
  method: Type.Optional(oneOf(METHODS)),
  path: Type.Optional(
    Type.String({
      pattern: '^/[^?#]*$',
      description: 'a path that begins with / and has no query; * is one segment, and a closing ** the rest, if any',
    }),
  ),
  body: Type.Optional(text('a text that some value in the JSON body equals')),
  user: Type.Optional(text('the e-mail address of whoever sends the request')),
  nth: Type.Optional(whole(1)),
  times: Type.Optional(
    Type.Unsafe<number | 'always'>({
      anyOf: [{ type: 'integer', minimum: 1 }, { const: 'always' }],
      description: 'a whole number from 1, or always',
    }),
  ),
};

/** The parameters of actions; `actions.ts` defines which of them each action takes. */
const PARAMETERS = {
  when: Type.Optional(oneOf(['before', 'after'])),
  status: Type.Optional(whole(200, 599)),
  code: Type.Optional(whole(1, 9999)),
  message: Type.Optional(text('the text of the error')),
  retryAfter: Type.Optional(whole(0, 86_400)),
  headers: Type.Optional(
    Type.Unsafe<Readonly<Record<string, string>>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'headers, each with a text',
    }),
  ),
  content: Type.Optional(Type.Unknown({ description: 'a text, or a value to be sent as JSON' })),
  milliseconds: Type.Optional(whole(0, 3_600_000)),
  spread: Type.Optional(whole(0, 3_600_000)),
  bytesPerSecond: Type.Optional(whole(1)),
  answer: Type.Optional(oneOf(['first', 'last'])),
  shows: Type.Optional(oneOf(['asked', 'found'])),
  lag: Type.Optional(whole(1, MOST_REMEMBERED)),
  entry: Type.Optional(oneOf(['first', 'last', 'random'])),
  count: Type.Optional(oneOf(['shown', 'all'])),
  guid: Type.Optional(text('a GUID')),
  fields: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'names of fields' })),
  set: Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      description: 'fields with the values that they get; null removes one',
    }),
  ),
  as: Type.Optional(oneOf(['page', 'errors', 'text', 'values'])),
};

export const KEYS = { ...MATCHING, ...PARAMETERS };

export const MATCHING_KEYS: readonly string[] = Object.keys(MATCHING);

const keys = Type.Object(KEYS);

/** All keys of a rule but the name of its action: those that select requests, and the parameters. */
export type Keys = Static<typeof keys>;
export type Parameter = keyof typeof PARAMETERS;
