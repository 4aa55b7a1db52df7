import { DexsyncError, type ErrorCode } from '#base/errors.js';
import { isObject, jsonIn, objectsIn } from '#core/model/json.js';
import type { Guid } from '#core/model/kind.js';
import { nameOfRequest, withNames, withoutGuids } from './request-name.js';
import type { Answer, Request } from './send.js';

/** One error in the body of a refusal, by the service's own code (wire-facts 2.1). */
export interface ServiceProblem {
  readonly code: number;
  readonly message: string;
}

/** A refusal, kept whole: HTTP status, every error of the body, and the body's text (wire-facts, section 2). */
export class ServiceError extends DexsyncError {
  readonly status: number;
  readonly problems: readonly ServiceProblem[];
  readonly body: string;
  readonly #again: (hint: string | undefined, inWords: (text: string) => string) => ServiceError;

  constructor(code: ErrorCode, request: Request, answer: Answer, hint?: string, inWords = withoutGuids) {
    const body = bodyText(answer);
    const problems = problemsOf(body);
    const said = problems.map(({ code: number, message }) => `${inWords(message)} (${number})`).join(' ');
    const what = `${nameOfRequest(request)} was answered with ${answer.status}`;
    super(code, said === '' ? `${what}${excerpt(body)}.` : `${what}: ${said}`, { hint });
    this.#again = (...other) => new ServiceError(code, request, answer, ...other);
    this.name = 'ServiceError';
    this.status = answer.status;
    this.problems = problems;
    this.body = body;
  }

  /** Returns the same refusal, with names in place of the GUIDs that it quotes. */
  withNames(wordsFor: (guid: Guid) => string | undefined): ServiceError {
    return this.#again(this.hint, withNames(wordsFor));
  }

  /** Returns the same refusal with another hint. */
  withHint(hint: string): ServiceError {
    return this.#again(hint, withoutGuids);
  }

  has(code: number): boolean {
    return this.problems.some((problem) => problem.code === code);
  }
}

/** Returns the body of an answer that was read; empty if it is passed on as a stream. */
export const bodyText = ({ body }: Answer): string => ('text' in body ? body.text : '');

/** Quotes the beginning of an unexpected body, for messages. */
export function excerpt(body: string): string {
  const text = withoutGuids(body.replaceAll(/\s+/g, ' ').trim());
  if (text === '') return ' and an empty body';
  return `, beginning with "${text.length > 80 ? `${text.slice(0, 80)}...` : text}"`;
}

function problemsOf(body: string): ServiceProblem[] {
  const parsed = jsonIn(body);
  const errors = isObject(parsed) ? parsed.errors : [];
  return objectsIn(errors).map(({ code, message }) => ({ code: Number(code), message: String(message) }));
}
