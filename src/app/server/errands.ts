import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { PageAction } from '#core/stream/page-event.js';
import type { Host } from '#project/host.js';
import type { Errand } from '../views/page/errand.js';

/** What people asked for and what takes a while, in the memory of the server. */
export interface Errands {
  readonly of: (action: PageAction) => Errand | undefined;
  /** Begins one, unless it is going on; calls `ended` with its error, if it has one. */
  readonly begin: (action: PageAction, host: Host, work: Work, ended: (error?: string) => void) => void;
  /** Resolves once none is going on. */
  readonly ended: () => Promise<void>;
}

type Work = (host: Host) => Promise<unknown>;

/** How many are remembered; the oldest ones are forgotten. */
const MOST = 1000;

/** Does what people ask for in the background. */
export function backgroundErrands(): Errands {
  const known = new Map<string, Errand>();
  const running = new Map<string, Promise<void>>();
  const remember = (what: string, errand: Errand): void => {
    known.delete(what);
    known.set(what, errand);
    for (const old of known.keys()) if (known.size > MOST && !running.has(old)) known.delete(old);
  };
  const run = async (what: string, host: Host, work: Work): Promise<string | undefined> => {
    const begun = { by: host.person ?? '', at: host.clock().toISOString() };
    remember(what, begun);
    const failed = await work(host).then(
      () => undefined,
      (error: unknown) => (error instanceof DexsyncError ? error : new Error(String(error))),
    );
    running.delete(what);
    const hint = failed instanceof DexsyncError ? (failed.hint ?? '') : '';
    const error = failed === undefined ? undefined : `${failed.message} ${hint}`.trim();
    remember(what, { ...begun, ended: omitUndefined({ error }) });
    return failed?.message;
  };
  return {
    of: (action) => known.get(keyOf(action)),
    begin(action, host, work, tell) {
      const what = keyOf(action);
      if (!running.has(what)) running.set(what, run(what, host, work).then(tell));
    },
    ended: async () => void (await Promise.all(running.values())),
  };
}

const keyOf = ({ action, of }: PageAction): string => `${action} ${of}`;
