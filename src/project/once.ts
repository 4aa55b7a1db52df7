import type { Host } from './host.js';

/** A host that may share with the other parts of an operation. */
type Sharing = Pick<Host, 'found'>;

/**
 * Finds something out, once for all parts of an operation on many environments that ask with the same key; otherwise each
 * time.
 */
export function once<T>({ found }: Sharing, key: readonly unknown[], find: () => T): T {
  if (found === undefined) return find();
  const text = JSON.stringify(key);
  if (!found.has(text)) found.set(text, find());
  return found.get(text) as T;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Uses something that is closed afterwards. All parts of an operation on many environments that ask with the same key use
 * one, which is closed at the end of the operation.
 */
export async function withOpen<O extends Closable, T>(
  host: Sharing,
  key: readonly unknown[],
  open: () => Promise<O>,
  use: (opened: O) => Promise<T>,
): Promise<T> {
  if (host.found !== undefined) return use(await once(host, [OPEN, ...key], open));
  const opened = await open();
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}

const OPEN = 'open';

const isOpen = (key: string): boolean => key.startsWith(`["${OPEN}"`);

/** Runs an operation whose parts share what they find out and open. */
export const withSharing = <H extends Host, T>(outer: H, work: (host: H) => Promise<T>): Promise<T> =>
  outer.found === undefined ? closeAfter(outer, new Map(), work) : work(outer);

/** Runs a part of a long operation that uses what is open, and finds everything else out again. */
export const withSharedOpen = <H extends Host, T>(outer: H, work: (host: H) => Promise<T>): Promise<T> =>
  closeAfter(outer, new Map([...(outer.found ?? [])].filter(([key]) => isOpen(key))), work);

async function closeAfter<H extends Host, T>(
  outer: H,
  known: ReadonlyMap<string, unknown>,
  work: (host: H) => Promise<T>,
): Promise<T> {
  const found = new Map(known);
  try {
    return await work({ ...outer, found });
  } finally {
    const opened = [...found].filter(([key]) => isOpen(key) && !known.has(key));
    for (const [, one] of opened) await (one as Promise<Closable>).then((open) => open.close()).catch(() => undefined);
  }
}
