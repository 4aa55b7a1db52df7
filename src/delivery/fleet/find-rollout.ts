import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { DocumentStore } from '#ledger/document-store.js';
import { type RolloutKey, readRollout, rolloutKeys, type StoredRollout } from '#ledger/stored-rollout.js';
import { rolloutState } from './rollout-state.js';

/** Finds a rollout by its name. Throws UNKNOWN_NAME. */
export async function namedRollout(name: string, store: DocumentStore): Promise<StoredRollout> {
  const keys = await rolloutKeys(store);
  const key = keys.findLast((one) => one.name === name);
  const found = key === undefined ? undefined : await readRollout(store, key);
  if (found !== undefined) return found;
  const names = keys.map((one) => one.name);
  throw new DexsyncError('UNKNOWN_NAME', `The ledger has no rollout "${name}".`, {
    hint: nearestHint(name, names) ?? '`dexsync fleet plan FLEET --out ledger:NAME` saves one.',
  });
}

/**
 * The rollout of a fleet that was begun last, or `undefined` if none was: others may be saved after it. Reads one by one
 * from the newest.
 */
export async function begunRollout(fleet: string, store: DocumentStore): Promise<StoredRollout | undefined> {
  for (const found of await newestFirst(fleet, store)) {
    const stored = await readRollout(store, found);
    if (stored !== undefined && rolloutState(stored.rollout, stored.notes).isOpen) return stored;
  }
  return undefined;
}

/** The newest rollout of a fleet, begun or not. Throws UNKNOWN_NAME if there is none. */
export async function newestRollout(fleet: string, store: DocumentStore): Promise<StoredRollout> {
  const [key] = await newestFirst(fleet, store);
  const found = (await begunRollout(fleet, store)) ?? (key === undefined ? undefined : await readRollout(store, key));
  if (found !== undefined) return found;
  throw new DexsyncError('UNKNOWN_NAME', `The ledger has no rollout of the fleet "${fleet}".`, {
    hint: `\`dexsync fleet plan ${fleet} --out rollout.json\` saves one, \`dexsync fleet apply rollout.json\` applies it.`,
  });
}

const newestFirst = async (fleet: string, store: DocumentStore): Promise<RolloutKey[]> =>
  (await rolloutKeys(store)).filter((key) => key.fleet === fleet).reverse();
