import type { Output, Shown } from '../view.js';
import { importLine } from './import-progress.js';
import type { Palette } from './palette.js';
import { lockedText, type Progress, type ProgressEvent, priceText, waitingText } from './progress.js';
import { isStopped, stepLine, stoppedLine } from './step-line.js';
import { transferLine } from './transfer-text.js';

/** Writes a line for each thing that ended, for output that cannot be redrawn. */
export function lineProgress(out: Output, palette: Palette, shows: Shown): Progress {
  let stopped = 0;
  let last: string | undefined;
  const lineOf = (event: ProgressEvent): string | undefined => {
    switch (event.type) {
      case 'read':
        return undefined;
      case 'price':
        return priceText(event);
      case 'waiting':
        return waitingText(event);
      case 'locked':
        return lockedText(event);
      case 'import':
        return importLine(event.address, event.event, palette);
      case 'transfer':
        return transferLine(event.address, event.event);
      case 'step':
        stopped += isStopped(event) ? 1 : 0;
        return stepLine(event, palette, shows);
    }
    return event satisfies never;
  };
  return {
    event(event) {
      const line = lineOf(event);
      // Parallel steps wait for the same thing.
      if (line !== undefined && line !== last) out.write(`${line}\n`);
      last = line ?? last;
    },
    note: (text) => out.write(text),
    notice: (text) => out.write(`${text}\n`),
    showPlan: () => undefined,
    async rest() {
      if (stopped > 0) out.write(`${stoppedLine(stopped, palette)}\n`);
      stopped = 0;
    },
  };
}
