import type { Event } from '#core/stream/event.js';
import type { Report, ReportEnd, ReportPart, ReportSetting } from './report.js';

/** Collects the events of a command; `report` returns them as one value. */
export interface ReportCollector {
  event(event: Event): void;
  add(part: ReportPart): void;
  report(setting: ReportSetting, end: ReportEnd): Report;
}

type Kept = {
  -readonly [K in keyof Omit<Report, 'setting' | 'exitCode' | 'failure'>]: Report[K] extends readonly (infer E)[]
    ? E[]
    : Report[K];
};

/** Folds the events of a command into one value, without events that only show progress. */
export function collectReport(): ReportCollector {
  const kept: Kept = { diagnostics: [], findings: [], steps: [], rows: [], settled: [], sent: [], reviewed: [] };
  const steps = new Map<string, Extract<Event, { type: 'step' }>>();
  return {
    event(event) {
      if (event.type === 'step') steps.set(event.address, event);
      else keep(kept, event);
    },
    add: (part) => void Object.assign(kept, part),
    report: (setting, end) => ({ setting, ...kept, steps: [...steps.values()], ...end }),
  };
}

function keep(kept: Kept, event: Exclude<Event, { type: 'step' }>): void {
  switch (event.type) {
    case 'diagnostic':
      kept.diagnostics.push(event.diagnostic);
      return;
    case 'findings':
    case 'rows':
    case 'settled':
    case 'sent':
    case 'reviewed':
      (kept[event.type] as Event[]).push(event);
      return;
    case 'plan':
      kept.planned = event;
      return;
    case 'fleet':
      if (event.event.is === 'status') kept.rollout = event.event;
      return;
    case 'summary':
      kept.summary = event;
      return;
  }
}
