import { DexsyncError } from '../errors.js';
import { isObject, type JsonObject } from '../model/json.js';
import type { Answer, Request } from './send.js';
import { excerpt, textOf } from './service-error.js';

/** The answer's body as the JSON object that the interface promises. An empty body is an empty object. */
export function answerObject(answer: Answer, { method, path }: Request): JsonObject {
  const text = textOf(answer);
  if (text === '') return {};
  const parsed = parsedOrNothing(text);
  if (isObject(parsed)) return parsed;
  const type = answer.headers['content-type'] ?? 'no content type';
  const what = /^\s*</.test(text) ? 'a page of HTML' : 'something that is not a whole JSON object';
  throw new DexsyncError('ANSWER_NOT_JSON', `${method} ${path} was answered with ${what} (${type})${excerpt(text)}.`, {
    hint: 'Check the url of the environment; a proxy or a log-in page may have answered instead of the service.',
  });
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
