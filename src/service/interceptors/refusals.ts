import type { ErrorCode } from '#base/errors.js';
import type { Secrets } from '#base/secrets.js';
import type { Answer, Interceptor, Request } from '../send.js';
import { ServiceError } from '../service-error.js';

/**
 * Turns every answer without success into a ServiceError that keeps the whole answer, except secrets that it repeats.
 * Its code is QUOTA_EXHAUSTED, LOGIN_REFUSED, PERMISSION, WRITE_UNANSWERED or SERVICE_ERROR.
 */
export const throwRefusals =
  (secrets: Secrets): Interceptor =>
  (next) =>
  async (request) => {
    const answer = await next(request);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const said = withoutSecrets(answer, secrets);
    throw new ServiceError(codeOf(said, request), request, said, hintOf(said, request));
  };

function withoutSecrets({ status, headers, body }: Answer, { redact }: Secrets): Answer {
  const said = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
  return { status, headers: said, body: 'text' in body ? { text: redact(body.text) } : body };
}

/** Whether a write may be done in spite of this status: the service, or a proxy before it, may fail after the write. */
const isUncertain = (status: number): boolean => status < 400 || status >= 500;

function codeOf({ status }: Answer, { login, method }: Request): ErrorCode {
  if (status === 429) return 'QUOTA_EXHAUSTED';
  if (login === true && status < 500) return 'LOGIN_REFUSED';
  if (status === 401) return 'LOGIN_REFUSED';
  if (status === 403) return 'PERMISSION';
  return method !== 'GET' && login !== true && isUncertain(status) ? 'WRITE_UNANSWERED' : 'SERVICE_ERROR';
}

const againIn = (text = ''): string =>
  text === '' ? '' : `; try again ${/^\d+$/.test(text) ? `in ${text} s` : `after ${text}`}`;

function hintOf({ status, headers }: Answer, { login }: Request): string | undefined {
  if (status === 429) return `The quota is used up${againIn(headers['retry-after'])}.`;
  if (status === 403 && login !== true) return 'The user of this environment may not have permission.';
  return undefined;
}
