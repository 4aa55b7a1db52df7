import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { arena } from './arena.js';
import type { Profile } from './profile.js';
import { reference } from './reference.js';

/** All profiles that an environment may name. */
export const PROFILES: readonly Profile[] = [reference, arena];

/** Returns the profile that a configuration names; throws UNKNOWN_NAME with the nearest name. */
export function profileNamed(name: string): Profile {
  const found = PROFILES.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const known = PROFILES.map((profile) => profile.name);
  throw new DexsyncError('UNKNOWN_NAME', `There is no profile "${name}".`, {
    hint: nearestHint(name, known) ?? known.join(', '),
  });
}
