import type { Palette } from './palette.js';

/** The number of requests of a command that only reads or sets events. */
export const requestsLine = (used: number, palette: Palette): string =>
  `${palette.dim(`Requests: ${used} used by this command.`)}\n`;
