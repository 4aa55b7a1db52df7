import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { isBusy } from '#base/sqlite/sqlite.js';
import type { RequestLimit } from '../rules/request-limit.js';
import { type ErrorDetail, refuse, ServiceError } from '../rules/service-error.js';

/** The HTTP status of each code whose status is not 400 (wire-facts 2, 2.1). */
const STATUS = new Map([
  [401, 401],
  [403, 403],
  [404, 404],
  [405, 405],
  [413, 413],
  [415, 415],
  [503, 503],
  [3024, 403],
  [3085, 403],
  [3086, 403],
  [3221, 403],
  [4084, 429],
  [4303, 403],
  [9999, 500],
]);

function statusOf(code: number): number {
  return STATUS.get(code) ?? 400;
}

/** Answers every failure in the common form of errors (wire-facts 0, "error body"). */
export function answerErrors(limit: RequestLimit, log: (text: string) => void) {
  return (error: FastifyError | ServiceError | Error, request: FastifyRequest, reply: FastifyReply): void => {
    const { details, status: own } = error instanceof ServiceError ? error : translate(error);
    const status = own ?? statusOf(details[0]?.code ?? 9999);
    if (status === 500) log(`${request.method} ${request.url}: ${error.stack ?? error.message}`);
    // A connection that closes while the rest of a large body is still arriving loses the answer.
    reply.removeHeader('connection');
    if (status === 429) reply.header('Retry-After', limit.allowance().secondsToReset);
    reply.status(status).type('application/json; charset=utf-8').send({ status, errors: details });
  };
}

function translate(error: FastifyError | Error): ServiceError {
  if ('validation' in error && error.validation) return fromValidation(error.validation);
  if (isBusy(error)) return new ServiceError({ code: 503, message: 'An import is being committed; try again.' });
  const { statusCode = 500 } = error as Partial<FastifyError>;
  if (statusCode === 413)
    return new ServiceError({ code: 413, message: 'The request is larger than the service takes.' });
  if (statusCode === 415)
    return new ServiceError({ code: 415, message: 'The content type is missing or not supported.' });
  if (statusCode >= 400 && statusCode < 500) return refuse.malformed(error.message);
  return new ServiceError({ code: 9999, message: 'The service failed unexpectedly; its log says why.' });
}

function fromValidation(problems: readonly FastifySchemaValidationError[]): ServiceError {
  const [first, ...others] = problems.flatMap((problem) => detailsOf(problem));
  return first ? new ServiceError(first, ...others) : refuse.malformed('it does not fit the schema.');
}

function detailsOf(problem: FastifySchemaValidationError): readonly ErrorDetail[] {
  const name = attributeName(problem.instancePath);
  const inside = (field: unknown): string => (name === '' ? String(field) : `${name}.${String(field)}`);
  const { missingProperty, additionalProperty, allowedValues } = problem.params;
  switch (problem.keyword) {
    case 'required':
      return refuse.required(inside(missingProperty)).details;
    case 'additionalProperties':
      return refuse.unrecognized(inside(additionalProperty)).details;
    case 'enum':
      return [{ code: 3006, message: `"${name}" must be one of ${[allowedValues].flat().join(', ')}.` }];
    case 'anyOf':
      return [];
    default:
      return name === '' ? refuse.malformed('its body is missing or of the wrong type.').details : wrong(name, problem);
  }
}

function wrong(name: string, problem: FastifySchemaValidationError): readonly ErrorDetail[] {
  return refuse.invalid(name, `it ${problem.message ?? 'does not fit'}.`).details;
}

/** Converts a pointer to a name: `/options/mapping/0/apiName` becomes options.mapping[0].apiName. */
function attributeName(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll('/', '.')
    .replace(/\.(\d+)(?=\.|$)/g, '[$1]');
}
