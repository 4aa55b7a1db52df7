/** Every failure of the world (not of user input) that dexsync can name. The exit code derives from it alone. */
export type ErrorCode =
  /** The workspace may be one that the ledger knows by another address. */
  | 'ADDRESS_CHANGED'
  /** Several objects have the given name. */
  | 'AMBIGUOUS_NAME'
  | 'ANSWER_NOT_JSON'
  | 'ANSWER_UNEXPECTED'
  | 'CONFIG_INVALID'
  | 'CONFIRMATION_NEEDED'
  /** A request to create an object was delivered more than once. */
  | 'CREATED_TWICE'
  | 'CREDENTIALS_MISSING'
  | 'DISK'
  /** Others changed what is to be released. */
  | 'DRIFTED'
  | 'EMBEDDED_FAILED'
  | 'ENVIRONMENT_NOT_CHOSEN'
  /** A file has changed since it was read before. */
  | 'FILE_CHANGED'
  /** A file does not exist, cannot be read, or has a format that dexsync does not read. */
  | 'FILE_UNREADABLE'
  | 'FILE_UNWRITABLE'
  /** A release does not pass the gates of a stage. */
  | 'GATES_CLOSED'
  /** A git repository that is followed cannot be read, or has no such ref. */
  | 'GIT_FAILED'
  | 'INTERRUPTED'
  /** A function of one of the project's own kinds threw. */
  | 'KIND_FAILED'
  | 'LEASE_DAMAGED'
  | 'LEASE_LOST'
  | 'LEDGER_DAMAGED'
  /** The configured ledger is empty, and the workspace has another one. */
  | 'LEDGER_ELSEWHERE'
  /** The ledger has been moved. */
  | 'LEDGER_MOVED'
  | 'LEDGER_UNREACHABLE'
  | 'LOCKED'
  | 'LOGIN_REFUSED'
  | 'MANIFESTS_INVALID'
  | 'NETWORK'
  | 'NO_ENDPOINT'
  /** No usable run exists. */
  | 'NO_RUN'
  /** The ledger does not have the object as this stack's own. */
  | 'NOT_OWNED'
  | 'OBJECT_CHANGED'
  | 'OBJECT_GONE'
  /** Manifests are applied to an environment that releases are promoted to. */
  | 'OUTSIDE_CHAIN'
  | 'PERMISSION'
  | 'PLAN_ALTERED'
  | 'PLAN_APPLIED'
  | 'PLAN_INVALID'
  | 'PLAN_OTHER_WORKSPACE'
  /** Somebody rejected the plan. */
  | 'PLAN_REJECTED'
  | 'PLAN_STALE'
  /** The plan has fewer approvals than it needs. */
  | 'PLAN_UNAPPROVED'
  | 'PLAN_UNTRUSTED'
  /** The objects cannot be promoted, or not to that workspace. */
  | 'PROMOTION_INVALID'
  | 'QUOTA_EXHAUSTED'
  | 'ROWS_REJECTED'
  | 'RUN_FAILED'
  | 'RUN_GONE'
  /** Text to be recorded unchanged contains a secret of dexsync. */
  | 'SECRET_RECORDED'
  | 'SERVICE_ERROR'
  /** Nothing has the given name. */
  | 'UNKNOWN_NAME'
  | 'URL_NOT_SECURE'
  | 'USAGE'
  | 'WORKSPACE_MISMATCH'
  | 'WRITE_UNANSWERED';

/** The stable exit codes (design, section 9). `summarise` decides which one counts if several hold. */
export const EXIT = {
  done: 0,
  failed: 1,
  differences: 2,
  invalid: 3,
  incomplete: 4,
  stale: 5,
  login: 6,
  locked: 7,
  rowsFailed: 8,
  interrupted: 130,
} as const;

/** An exit code that scripts may rely on. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const EXIT_OF: Partial<Record<ErrorCode, ExitCode>> = {
  ADDRESS_CHANGED: EXIT.invalid,
  AMBIGUOUS_NAME: EXIT.invalid,
  CONFIG_INVALID: EXIT.invalid,
  CONFIRMATION_NEEDED: EXIT.invalid,
  CREDENTIALS_MISSING: EXIT.invalid,
  DRIFTED: EXIT.incomplete,
  ENVIRONMENT_NOT_CHOSEN: EXIT.invalid,
  FILE_CHANGED: EXIT.invalid,
  FILE_UNREADABLE: EXIT.invalid,
  FILE_UNWRITABLE: EXIT.invalid,
  GATES_CLOSED: EXIT.incomplete,
  INTERRUPTED: EXIT.interrupted,
  KIND_FAILED: EXIT.invalid,
  LEASE_LOST: EXIT.locked,
  LOCKED: EXIT.locked,
  LOGIN_REFUSED: EXIT.login,
  MANIFESTS_INVALID: EXIT.invalid,
  NO_RUN: EXIT.invalid,
  NOT_OWNED: EXIT.invalid,
  OUTSIDE_CHAIN: EXIT.incomplete,
  PERMISSION: EXIT.login,
  PLAN_ALTERED: EXIT.stale,
  PLAN_APPLIED: EXIT.stale,
  PLAN_INVALID: EXIT.invalid,
  PLAN_OTHER_WORKSPACE: EXIT.stale,
  PLAN_REJECTED: EXIT.stale,
  PLAN_STALE: EXIT.stale,
  PLAN_UNAPPROVED: EXIT.stale,
  PLAN_UNTRUSTED: EXIT.stale,
  PROMOTION_INVALID: EXIT.invalid,
  QUOTA_EXHAUSTED: EXIT.incomplete,
  ROWS_REJECTED: EXIT.rowsFailed,
  SECRET_RECORDED: EXIT.incomplete,
  UNKNOWN_NAME: EXIT.invalid,
  URL_NOT_SECURE: EXIT.invalid,
  USAGE: EXIT.invalid,
  WORKSPACE_MISMATCH: EXIT.login,
};

/**
 * The only error class. `message` says what was expected and what came, `hint` what to do next; callers decide on
 * `code`, never on the text.
 */
export class DexsyncError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DexsyncError';
    this.code = code;
    this.hint = options.hint;
  }

  get exitCode(): ExitCode {
    return EXIT_OF[this.code] ?? EXIT.failed;
  }
}

/** Throws INTERRUPTED if a person or a supervisor interrupted the work; `during` names it: `comparing rows`. */
export function throwIfInterrupted(signal: AbortSignal, during: string): void {
  if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while ${during}.`);
}

/** The text of a thrown value with its innermost cause, for messages that quote a system's own words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const own = error.message || code || error.name;
  return error.cause instanceof Error && !own.includes(error.cause.message) ? `${own}: ${reasonOf(error.cause)}` : own;
}
