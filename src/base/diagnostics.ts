import { naturalOrder } from './natural-order.js';
/** The position where a value was written. Lines and columns count from 1. */
export interface Origin {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `base`, or the overlay that the value came from. */
  readonly layer: string;
  /** The source that filled in the value, if it was not written there: `${var.site} of environment prod`. */
  readonly filledBy?: string;
  /** The row of a list that it comes from: `suppliers.csv, row 5, column "City"`. */
  readonly row?: string;
}

/** The origin of a step that the command line requests, not a manifest. */
export const COMMAND_LINE = { file: 'command line', line: 1, column: 1, layer: 'command line' } as const;

const OF_ENVIRONMENT = 'environment';

/** The origin of a value that comes from an environment, not from a file. */
export const environmentOrigin = (environment: string): Origin => ({
  file: `environment ${environment}`,
  line: 1,
  column: 1,
  layer: OF_ENVIRONMENT,
});

/** Whether a value comes from an environment, not from a file. */
export const isOfEnvironment = ({ layer }: Pick<Partial<Origin>, 'layer'>): boolean => layer === OF_ENVIRONMENT;

/** A finding in user input. Diagnostics accumulate and are shown together; only `error` stops the work. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable and kebab-case, for filters and documentation. */
  readonly code: string;
  /** The problem, with objects named by address. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** Its file is relative to the project; once emitted, relative to the working folder, also in `--json`. */
  readonly origin?: Origin;
}

/** Adds a hint to a diagnostic, if there is one. */
export const withHint = <D extends Partial<Omit<Diagnostic, 'hint'>>>(
  diagnostic: D,
  hint: string | undefined,
): D & Pick<Diagnostic, 'hint'> => (hint === undefined ? diagnostic : { ...diagnostic, hint });

/** Whether the work must stop: warnings alone do not stop it. */
export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === 'error');

/** Sorts by file and position, so that the same input always gives the same text. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = ({ origin }: Diagnostic): [string, number, number] =>
    origin === undefined ? ['', 0, 0] : [origin.file, origin.line, origin.column];
  return [...diagnostics].sort((a, b) => {
    const [fileA, lineA, columnA] = key(a);
    const [fileB, lineB, columnB] = key(b);
    return naturalOrder(fileA, fileB) || lineA - lineB || columnA - columnB;
  });
}
