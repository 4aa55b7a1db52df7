import type { Output } from '../view.js';
import { importLine } from './import-text.js';
import type { Palette } from './palette.js';
import type { Progress, ProgressEvent } from './progress.js';
import { stepLine } from './step-line.js';
import { transferLine } from './transfer-text.js';

/** A line for each thing that ended, where nothing can be written over. */
export function progressLines(out: Output, palette: Palette): Progress {
  const lineOf = (event: ProgressEvent): string | undefined => {
    if (event.type === 'read') return undefined;
    if (event.type === 'transfer') return transferLine(event.address, event.event);
    return event.type === 'step' ? stepLine(event, palette) : importLine(event.address, event.event, palette);
  };
  return {
    event(event) {
      const line = lineOf(event);
      if (line !== undefined) out.write(`${line}\n`);
    },
    note: (text) => out.write(text),
    planned: () => undefined,
    rest: async () => undefined,
  };
}
