import type { Palette } from './palette.js';

/** How many requests a command that only reads or sets events took. */
export const requestsLine = (used: number, palette: Palette): string =>
  `${palette.dim(`Requests: ${used} used by this command.`)}\n`;
