import { DexsyncError } from '#base/errors.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { drift } from '../operations/drift.js';
import type { DriftLook } from '../views/page/drift-look.js';

/** The looks for drift that people asked for, in the memory of the server. */
export interface DriftLooks {
  readonly of: (environment: string) => DriftLook | undefined;
  /** Begins one, unless one is going on there; calls `ended` with its error, if it has one. */
  readonly begin: (environment: string, host: Host, ended: (error?: string) => void) => void;
  /** Resolves once none is going on. */
  readonly ended: () => Promise<void>;
}

/** Looks for drift in one environment at a time for each; the ledger notes what was seen. */
export function driftLooks(options: ProjectOptions): DriftLooks {
  const looks = new Map<string, DriftLook>();
  const running = new Map<string, Promise<void>>();
  const look = async (environment: string, host: Host, tell: (error?: string) => void): Promise<void> => {
    const { person: by = '', clock } = host;
    const begun = { by, at: clock().toISOString() };
    looks.set(environment, begun);
    try {
      const { objects } = await drift({ ...options, environment }, host);
      looks.set(environment, { ...begun, ended: { drifted: objects.length } });
      tell();
    } catch (error) {
      const { message, hint = '' } = error instanceof DexsyncError ? error : { message: String(error) };
      looks.set(environment, { ...begun, ended: { error: `${message} ${hint}`.trim() } });
      tell(message);
    } finally {
      running.delete(environment);
    }
  };
  return {
    of: (environment) => looks.get(environment),
    begin(environment, host, tell) {
      if (!running.has(environment)) running.set(environment, look(environment, host, tell));
    },
    ended: async () => void (await Promise.all(running.values())),
  };
}
