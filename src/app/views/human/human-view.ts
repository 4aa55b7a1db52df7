import type { Event } from '#core/stream/event.js';
import type { Output, Shown, View } from '../view.js';
import { diagnosticText } from './diagnostic-text.js';
import { findingsText } from './findings-text.js';
import { sentText, settledText } from './import-outcome-text.js';
import type { Palette } from './palette.js';
import { planProblemsText, planSummaryText, planText } from './plan-text.js';
import { isProgress, type Progress, type ProgressEvent } from './progress.js';
import { reviewedText } from './reviewed-text.js';
import { fleetEventText } from './rollout-text.js';
import { rowsText } from './rows-text.js';
import { summaryText } from './summary-text.js';
import { transferredText } from './transfer-text.js';

/** Shows findings, plan and summary as text, and passes everything that takes long to the progress display. */
export function humanView(
  out: Output,
  palette: Palette,
  progress: Progress,
  width: number | undefined,
  shows: Shown,
): View {
  let tail: Promise<void> = Promise.resolve();
  const print = (text: string): void => {
    tail = tail.then(async () => {
      await progress.rest();
      out.write(text);
    });
  };
  const note = (text: string): void => {
    if (text !== '') progress.note(text);
  };
  return {
    event(event) {
      if (isProgress(event)) progress.event(event);
      else if (event.type === 'rows') note(rowsText(event, palette));
      else print(blockOf(event, palette, width, shows));
      if (event.type === 'plan') progress.showPlan(event.plan);
    },
    notice: (text) => progress.notice(text),
    async close() {
      await tail;
      await progress.rest();
    },
  };
}

const PLAN_TEXTS: Readonly<Record<Shown, typeof planText>> = {
  all: planText,
  summary: planSummaryText,
  errors: planProblemsText,
};

function blockOf(
  event: Exclude<Event, ProgressEvent | { type: 'rows' }>,
  palette: Palette,
  width: number | undefined,
  shows: Shown,
): string {
  switch (event.type) {
    case 'diagnostic':
      return `${diagnosticText(event.diagnostic, palette)}\n`;
    case 'plan':
      return PLAN_TEXTS[shows](event, palette, width);
    case 'settled':
      return settledText(event);
    case 'sent':
      return sentText(event);
    case 'reviewed':
      return `${reviewedText(event)}\n`;
    case 'findings':
      return findingsText(event, palette);
    case 'transferred':
      return transferredText(event.address, event.outcome, palette, width);
    case 'summary':
      return summaryText(event, palette);
    case 'fleet':
      return fleetEventText(event.event, palette, width);
    // `watchView` and `auditView` show the first ones; a rollout has too many of the last.
    case 'watch':
    case 'page':
    case 'target':
      return '';
  }
  return event satisfies never;
}
