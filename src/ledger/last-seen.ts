import { DexsyncError } from '#base/errors.js';
import { jsonIn } from '#core/model/json.js';
import { countSchema, type Shape, Type } from '#core/model/schema.js';
import { hasShape } from '#core/shape.js';

/** The schema of `LastSeen`. */
export const lastSeenSchema = Type.Object(
  {
    at: Type.String({ description: 'ISO 8601 in UTC.' }),
    drifted: countSchema('Objects that people changed since they were applied.'),
    unknown: countSchema('Objects of which it is not known.'),
    remaining: Type.Union([Type.Null(), Type.Integer()], {
      description: 'Requests left of the daily quota, if the service reports it.',
    }),
    by: Type.String({ description: 'Who looked.' }),
  },
  { description: 'What a plan, `drift` or a watch saw in a workspace last.' },
);

/** What a plan, `drift` or a watch saw in a workspace last, of everything that is managed there. */
export interface LastSeen extends Shape<typeof lastSeenSchema> {}

/** Whether that was after an apply, or after its begin if it did not end: before it, the workspace was another. */
export const isSeenSince = (
  seen: LastSeen,
  apply: { readonly at: string | null; readonly ended: string | null } | undefined,
): boolean => seen.at >= (apply?.ended ?? apply?.at ?? '');

/** Stores one text for each environment of a stack, the newest; needs no lease. Throws DISK and LEDGER_UNREACHABLE. */
export interface SeenStore {
  /** Undefined if there is none. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** Reads what was seen last; undefined if nothing was, or if a later version wrote it. */
export async function readLastSeen(store: SeenStore): Promise<LastSeen | undefined> {
  const text = await store.read();
  const seen = text === undefined ? undefined : jsonIn(text);
  return hasShape(lastSeenSchema, seen) ? (seen as LastSeen) : undefined;
}

/** Milliseconds for which the same result is not written again, since a backend may need a second for it. */
const PATIENCE = 5 * 60_000;

/** Saves what was seen. A ledger that cannot be written, as in a job that may only read, keeps what it has. */
export async function saveLastSeen(store: SeenStore, seen: LastSeen): Promise<void> {
  try {
    const known = await readLastSeen(store);
    if (known !== undefined && isAlike(known, seen)) return;
    await store.write(`${JSON.stringify(seen, undefined, 1)}\n`);
  } catch (error) {
    if (!(error instanceof DexsyncError)) throw error;
  }
}

const isAlike = (known: LastSeen, seen: LastSeen): boolean =>
  known.drifted === seen.drifted &&
  known.unknown === seen.unknown &&
  Math.abs(Date.parse(seen.at) - Date.parse(known.at)) < PATIENCE;
