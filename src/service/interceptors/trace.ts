import type { Secrets } from '#base/secrets.js';
import type { Answer, Interceptor, Request } from '../send.js';

/** Longer lines are cut, since people read a trace. */
const LONGEST = 2000;

const SECRET = /("(?:password|\w*session_?id)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi;

/** Writes every request and answer, without anything that allows a login. */
export function trace(print: (line: string) => void, clock: () => number, { redact }: Secrets): Interceptor {
  const write = (line: string): void => print(cut(redact(line)));
  return (next) => async (request) => {
    write(`> ${request.method} ${request.path}${queryText(request)}${requestText(request)}`);
    const start = clock();
    try {
      const answer = await next(request);
      write(`< ${answer.status} in ${clock() - start} ms${answerText(answer, request)}`);
      return answer;
    } catch (error) {
      write(`< no answer in ${clock() - start} ms: ${String(error)}`);
      throw error;
    }
  };
}

const queryText = ({ query }: Request): string =>
  Object.keys(query ?? {}).length === 0
    ? ''
    : `?${Object.entries(query ?? {})
        .map(([name, value]) => `${name}=${value}`)
        .join('&')}`;

function requestText({ body }: Request): string {
  if (body === undefined) return '';
  return 'json' in body
    ? ` ${shown(JSON.stringify(body.json))}`
    : ` (${body.size} bytes of ${body.contentType.split(';')[0]})`;
}

function answerText({ status, body }: Answer, { login }: Request): string {
  if (!('text' in body)) return ' (stream)';
  return ` ${login === true && status < 300 ? withoutTokens(body.text) : shown(body.text)}`;
}

/** Redacts the answer to a login: any field may have the token, so of all texts only the workspace's name is shown. */
function withoutTokens(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (name, value: unknown) =>
      typeof value === 'string' && name !== 'workspaceName' ? '[redacted]' : value,
    );
  } catch {
    return `(${text.length} characters)`;
  }
}

const shown = (text: string): string => text.replaceAll(SECRET, '$1"[redacted]"');

const cut = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}... (${text.length} characters)` : text;
