import { ServiceError } from './service-error.js';

const METHOD_NOT_ALLOWED = 405;
const NO_RESOURCE = 404;

/** At run time only 405 and the error code 404 mean that the service has no such endpoint (design, section 6). */
export const saysNoEndpoint = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.status === METHOD_NOT_ALLOWED || error.has(NO_RESOURCE));

const ABSENT = [3011, 3012];

/** Codes of an object that is not there (wire-facts 2.1). */
export const saysAbsent = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ABSENT.some((code) => error.has(code));

/** 3024 stands for both "not there" and "not allowed": only a look at the list tells them apart. */
export const saysAbsentOrForbidden = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.has(3024);

/** The session has ended: a definite refusal, unless something between answered for the service. */
export const saysSessionRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 401;
