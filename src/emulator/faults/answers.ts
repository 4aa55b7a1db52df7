import type { ActionContext, Answer } from './action.js';

export type Entry = Readonly<Record<string, unknown>>;

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const jsonAnswer = (status: number, body: unknown, headers = {}): Answer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: Buffer.from(JSON.stringify(body)),
});

/** Replaces the JSON body of an answer. */
export const withBody = (answer: Answer, body: unknown): Answer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
});

/** Builds an error in the form that all errors have (wire-facts 0, "error body"). */
export const refusal = (status: number, code: number, message: string, headers = {}): Answer =>
  jsonAnswer(status, { status, errors: [{ code, message }] }, headers);

export const htmlPage = (status: number, content: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from(`<!doctype html><html><body>${content}</body></html>`),
});

const isRight = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** Parses a body that is one JSON object; returns undefined for any other. */
export function parseObject({ body }: Pick<Answer, 'body'>): Entry | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the entries of a list (wire-facts 3); undefined for any other answer. */
export function listEntries(answer: Answer): readonly Entry[] | undefined {
  const results = isRight(answer) ? parseObject(answer)?.results : undefined;
  return Array.isArray(results) ? (results as Entry[]) : undefined;
}

/** Returns the single object of a successful answer; undefined for any other. */
export const parseSingle = (answer: Answer): Entry | undefined =>
  isRight(answer) && listEntries(answer) === undefined ? parseObject(answer) : undefined;

export const isReadAnswer = (answer: Answer, { asked }: ActionContext): boolean =>
  isRight(answer) && asked.method === 'GET';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Generates a GUID that almost certainly belongs to no object. */
export const randomGuid = (draw: () => number): string =>
  Array.from({ length: 20 }, () => LETTERS[Math.floor(draw() * LETTERS.length)]).join('');
