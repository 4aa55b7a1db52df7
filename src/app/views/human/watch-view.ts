import type { Event } from '#core/stream/event.js';
import type { WatchEvent } from '#core/stream/watch-event.js';
import type { Output, View } from '../view.js';
import type { Palette } from './palette.js';
import { timeText } from './time-text.js';
import { watchText } from './watch-text.js';

/**
 * The log of a watch for people: one line for each round; plans, diagnostics and findings in full unless the round
 * before had the same.
 */
export function watchView(view: View, out: Output, palette: Palette, clock: () => Date): View {
  let [before, now]: [ReadonlySet<string>, Set<string>] = [new Set(), new Set()];
  let tail: Promise<void> = Promise.resolve();
  const print = (event: WatchEvent): void => {
    const text = watchText(event, palette);
    if (text === '') return;
    const time = palette.dim(timeText(clock().toISOString()));
    // The output of the round itself comes first.
    tail = view.close().then(() => out.write(`${time}  ${text}\n`));
  };
  const isNew = (event: Event): boolean => {
    const text = repetitionKey(event);
    if (text === undefined) return true;
    const isKnown = text === '' || before.has(text) || now.has(text);
    now.add(text);
    return !isKnown;
  };
  return {
    event(event) {
      if (event.type !== 'watch') {
        if (isNew(event)) view.event(event);
        return;
      }
      if (event.event.is === 'round') [before, now] = [now, new Set()];
      print(event.event);
    },
    async close() {
      await tail;
      await view.close();
    },
  };
}

/** Identifies output that a round repeats while nothing changes; empty for a plan without steps. */
function repetitionKey(event: Event): string | undefined {
  if (event.type === 'diagnostic') return JSON.stringify(event.diagnostic);
  if (event.type === 'settled' || event.type === 'findings') return JSON.stringify(event);
  if (event.type !== 'plan') return undefined;
  const { steps } = event.plan;
  return steps.length === 0 ? '' : JSON.stringify(steps);
}
