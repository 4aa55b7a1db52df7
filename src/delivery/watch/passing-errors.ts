import type { ErrorCode } from '#base/errors.js';

/** Errors that may disappear if the round is tried again soon, without a person. */
export const PASSING_ERRORS: ReadonlySet<string> = new Set<ErrorCode>([
  'ANSWER_NOT_JSON',
  'ANSWER_UNEXPECTED',
  'DISK',
  'EMBEDDED_FAILED',
  'GIT_FAILED',
  'LEASE_LOST',
  'LEDGER_UNREACHABLE',
  'LOCKED',
  'NETWORK',
  'OBJECT_CHANGED',
  'OBJECT_GONE',
  'SERVICE_ERROR',
  'WRITE_UNANSWERED',
]);
