import pLimit from 'p-limit';

/** One of the environments that a command works in. */
export interface Target {
  readonly name: string;
  /** Equal for two environments that one user logs in to: the second login would end the session of the first. */
  readonly session: string;
}

/** How many targets are worked on at once by default. */
export const AT_ONCE = 8;

/** Works on each target: on some at once, but on those of one user in turn. Begins none after the signal. */
export async function runTargets(
  targets: readonly Target[],
  { signal, atOnce = AT_ONCE }: { readonly signal: AbortSignal; readonly atOnce?: number | undefined },
  work: (environment: string) => Promise<void>,
): Promise<void> {
  const sessions = new Map<string, string[]>();
  for (const { name, session } of targets) sessions.set(session, [...(sessions.get(session) ?? []), name]);
  const limit = pLimit(atOnce);
  const workInTurn = async (names: readonly string[]): Promise<void> => {
    for (const name of names) if (!signal.aborted) await work(name);
  };
  await Promise.all([...sessions.values()].map((names) => limit(workInTurn, names)));
}
