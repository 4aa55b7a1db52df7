import { DexsyncError, type ErrorCode } from '#base/errors.js';

/** Why records are not compared with rows. */
export interface Unread {
  readonly why: string;
}

/** Errors that do not fail a plan whose rows cannot be compared: the service refused or broke off a read. */
const REASONS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ANSWER_NOT_JSON',
  'ANSWER_UNEXPECTED',
  'FILE_UNREADABLE',
  'NETWORK',
  'NO_ENDPOINT',
  'PERMISSION',
  'QUOTA_EXHAUSTED',
  'RUN_FAILED',
  'RUN_GONE',
  'SERVICE_ERROR',
  'WRITE_UNANSWERED',
]);

/** Turns an error into a reason; rethrows what ends the plan: an interruption, a lost session, a full disk. */
export function unreadBecause(error: unknown): Unread {
  if (!(error instanceof DexsyncError) || !REASONS.has(error.code)) throw error;
  return { why: `reading the workspace failed: ${error.message.replace(/\.$/, '')}` };
}
