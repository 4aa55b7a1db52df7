/** Every failure of the world (not of user input) that dexsync can name. The exit code derives from it alone. */
export type ErrorCode =
  | 'ANSWER_NOT_JSON'
  | 'ANSWER_UNEXPECTED'
  | 'CONFIG_INVALID'
  | 'CONFIRMATION_NEEDED'
  | 'CREDENTIALS_MISSING'
  | 'EMBEDDED_FAILED'
  | 'ENVIRONMENT_NOT_CHOSEN'
  | 'FILE_UNREADABLE'
  | 'INTERRUPTED'
  | 'LEDGER_DAMAGED'
  | 'LOGIN_REFUSED'
  | 'MANIFESTS_INVALID'
  | 'NETWORK'
  | 'NO_ENDPOINT'
  | 'OBJECT_GONE'
  | 'PERMISSION'
  | 'QUOTA_EXHAUSTED'
  | 'ROWS_REJECTED'
  | 'RUN_FAILED'
  | 'SERVICE_ERROR'
  | 'UNKNOWN_NAME'
  | 'URL_NOT_SECURE'
  | 'USAGE'
  | 'WORKSPACE_MISMATCH'
  | 'WRITE_UNANSWERED';

/** The stable exit codes (design, section 9), highest precedence first where several hold. */
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

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const EXIT_OF: Partial<Record<ErrorCode, ExitCode>> = {
  CONFIG_INVALID: EXIT.invalid,
  CONFIRMATION_NEEDED: EXIT.invalid,
  CREDENTIALS_MISSING: EXIT.invalid,
  ENVIRONMENT_NOT_CHOSEN: EXIT.invalid,
  FILE_UNREADABLE: EXIT.invalid,
  INTERRUPTED: EXIT.interrupted,
  LOGIN_REFUSED: EXIT.login,
  MANIFESTS_INVALID: EXIT.invalid,
  PERMISSION: EXIT.login,
  ROWS_REJECTED: EXIT.rowsFailed,
  UNKNOWN_NAME: EXIT.invalid,
  URL_NOT_SECURE: EXIT.invalid,
  USAGE: EXIT.invalid,
  WORKSPACE_MISMATCH: EXIT.login,
};

/**
 * The one error class. `message` says what was expected and what came, `hint` what to do next;
 * callers decide on `code`, never on the text.
 */
export class DexsyncError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'DexsyncError';
    this.code = code;
    this.hint = options.hint;
  }

  get exitCode(): ExitCode {
    return EXIT_OF[this.code] ?? EXIT.failed;
  }
}

/** The text of whatever was thrown, innermost cause included, for messages that name a system's own words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const own = error.message || code || error.name;
  return error.cause instanceof Error && !own.includes(error.cause.message) ? `${own}: ${reasonOf(error.cause)}` : own;
}
