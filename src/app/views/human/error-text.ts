import type { Palette } from './palette.js';

/** The parts of an error that are shown. */
export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exitCode: number;
}

/** Formats an error for a person: the message, what to do, and code and exit code to search for. */
export const errorText = ({ code, message, hint, exitCode }: ErrorFacts, palette: Palette): string =>
  `${palette.red('Error:')} ${message}${hint === undefined ? '' : `\n${hint}`}\n${palette.dim(`[${code}, exit ${exitCode}]`)}\n`;
