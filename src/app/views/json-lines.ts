import type { Output, View } from './view.js';

/** One event a line, for programs. */
export const jsonLines = (out: Output): View => ({
  event: (event) => out.write(`${JSON.stringify(event)}\n`),
  close: async () => undefined,
});
