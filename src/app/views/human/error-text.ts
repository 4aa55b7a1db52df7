import type { Palette } from './palette.js';

/** What an error shows of itself. */
export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly exitCode: number;
}

/** An error of the world for a person: the message, what to do, and code and exit code for whoever searches. */
export const errorText = ({ code, message, hint, exitCode }: ErrorFacts, palette: Palette): string =>
  `${palette.red('Error:')} ${message}${hint === undefined ? '' : `\n${hint}`}\n${palette.dim(`[${code}, exit ${exitCode}]`)}\n`;
