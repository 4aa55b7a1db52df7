import { DexsyncError } from '#base/errors.js';
import type { Secrets } from '#base/secrets.js';
import { isObject, type JsonObject, jsonIn } from '#core/model/json.js';
import { nameOfRequest } from './request-name.js';
import type { Answer, Request } from './send.js';
import { bodyText, excerpt } from './service-error.js';
import { unansweredWrite } from './unanswered-write.js';

/**
 * Returns the answer's body as the JSON object that the interface promises; an empty body is an empty object. Throws
 * ANSWER_NOT_JSON, and WRITE_UNANSWERED if a write was answered with something else.
 */
export function answerObject(answer: Answer, request: Request, secrets: Pick<Secrets, 'redact'>): JsonObject {
  const text = bodyText(answer);
  if (text === '') return {};
  const parsed = jsonIn(text);
  if (isObject(parsed)) return parsed;
  throw unreadableAnswer(answer, secrets.redact(text), request);
}

/** A write with an unreadable answer was received, and may be done. Of a login's answer, only an HTML page is shown. */
function unreadableAnswer(answer: Answer, text: string, request: Request): DexsyncError {
  const type = answer.headers['content-type'] ?? 'no content type';
  const isPage = /^\s*</.test(text);
  const what = isPage ? 'an HTML page' : 'something that is not a complete JSON object';
  const shown = request.login === true && !isPage ? '' : excerpt(text);
  const name = nameOfRequest(request);
  if (request.method !== 'GET' && request.login !== true) {
    const came = `${name} was answered with ${answer.status} and ${what} (${type})${shown}`;
    return unansweredWrite(`${came}; the request may or may not have taken effect.`);
  }
  return new DexsyncError('ANSWER_NOT_JSON', `${name} was answered with ${what} (${type})${shown}.`, {
    hint: 'Check the `url` of the environment; a proxy or a login page may have answered instead of the service.',
  });
}
