import type { Output, View } from './view.js';

/** Writes one event on each line, for programs. */
export const jsonLines = (out: Output): View => ({
  event: (event) => out.write(`${JSON.stringify(event)}\n`),
  close: async () => undefined,
});
