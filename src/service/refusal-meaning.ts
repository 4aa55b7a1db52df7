import { ServiceError } from './service-error.js';

const METHOD_NOT_ALLOWED = 405;
const NO_RESOURCE = 404;

/** Whether the service has no such endpoint: at run time only 405 and the error code 404 say so (design, section 6). */
export const saysNoEndpoint = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.status === METHOD_NOT_ALLOWED || error.has(NO_RESOURCE));

const ABSENT = [3011, 3012];

/** Whether an object does not exist, by the codes for that (wire-facts 2.1). */
export const saysAbsent = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ABSENT.some((code) => error.has(code));

/** Whether an object is absent or forbidden: 3024 means either, and only the list shows which. */
export const saysAbsentOrForbidden = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.has(3024);

/** Whether a change takes no more items, since it was submitted (wire-facts 8.5). */
export const saysChangeNotOpen = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.has(4013);

/** Whether the session has ended: a definite refusal, unless an intermediary answered for the service. */
export const saysSessionRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 401;
