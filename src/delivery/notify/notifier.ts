import { reasonOf } from '#base/errors.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import { withOpen } from '#project/once.js';
import { type Listener, listenersOf, say, sayNews } from './listener.js';
import { type Notice, type NoticePlace, placeKey, type Seen } from './notice.js';

/** Notifies people, in the background: nothing waits for it before its end, and nothing fails with it. */
export interface Notifier {
  /** Says what is new about a place, once for all processes that share its ledger. */
  see(place: NoticePlace, seen: Seen): void;
  /** Says something that happens only once. */
  say(notice: Notice): void;
  /** Waits for what is being said. */
  close(): Promise<void>;
}

/** Uses the notifier of an operation, which all parts of an operation on many environments share. */
export const withNotifier = <T>(config: Config, host: Host, use: (notifier: Notifier) => T): Promise<T> =>
  withOpen(
    host,
    ['notifier'],
    async () => openNotifier(config, host),
    async (notifier) => use(notifier),
  );

export function openNotifier(config: Config, { found: _, ...host }: Host): Notifier {
  // Without what others share: that may be closed before the last word is said.
  const speaker = { config, host };
  const listeners = listenersOf(config);
  const pending = new Map<string, { place: NoticePlace; seen: Seen }>();
  let work = Promise.resolve();
  const next = (task: (listener: Listener) => Promise<unknown>): void => {
    work = work
      .then(() => Promise.all(listeners.map(task)))
      .then(
        () => undefined,
        (error: unknown) => host.emit({ type: 'diagnostic', diagnostic: broken(error) }),
      );
  };
  const sayPending = (): void => {
    const seen = [...pending.values()];
    pending.clear();
    for (const one of seen) next((listener) => sayNews(listener, one.place, one.seen, speaker));
  };
  return {
    see(place, seen) {
      if (listeners.length === 0) return;
      const key = placeKey(place);
      const isFirst = pending.size === 0;
      pending.set(key, { place, seen: { ...pending.get(key)?.seen, ...seen } });
      // While a target is slow, only the last state of each place is kept for it.
      if (isFirst) work = work.then(sayPending);
    },
    say: (notice) => next((listener) => say(listener, notice, speaker)),
    async close() {
      let last: Promise<void> | undefined;
      while (last !== work) {
        last = work;
        await last;
      }
    },
  };
}

const broken = (error: unknown) =>
  ({ severity: 'warning', code: 'notify', message: `Nobody was notified: ${reasonOf(error)}` }) as const;
