import { DexsyncError, type ErrorCode } from '#base/errors.js';

/** Why records are not compared with rows. */
export interface Unread {
  readonly why: string;
}

/** A plan does not fail because its rows could not be compared: what the service refuses or breaks off becomes a reason. */
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

/** What speaks against comparing; throws what ends the whole plan: an interruption, a lost session, a full disk. */
export function unreadBecause(error: unknown): Unread {
  if (!(error instanceof DexsyncError) || !REASONS.has(error.code)) throw error;
  return { why: `reading the workspace failed: ${error.message.replace(/\.$/, '')}` };
}
