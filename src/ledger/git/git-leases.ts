import { DexsyncError } from '#base/errors.js';
import type { DamagedLease, FoundLease, Holder, LeaseKey, Leases } from '../lease.js';
import { fateOfHolder, type LeaseTiming, leaseStateOf, newHolder } from '../lease-life.js';
import { fileNameFor, leaseName } from '../lease-name.js';
import type { Branch } from './branch.js';
import {
  foundLease,
  type HeldLeases,
  isLease,
  type LeaseContent,
  leaseFile,
  PLACE,
  readLease,
  removeLease,
} from './lease-files.js';
import { leaseKeeper } from './lease-keeper.js';

/** A push takes long, so heartbeats are rare: every 30 s, and a lifetime of 2 minutes. */
const BEAT_EVERY = 30_000;
const LIFETIME = 120_000;

const FOLDER = 'locks';

const pathOf = (key: LeaseKey): string => `${serviceFolder(key.service)}/${leaseName(key)}.json`;
const serviceFolder = (service: string): string => `${FOLDER}/${fileNameFor(service)}`;

/** What this process saw of a lease, and since when that is unchanged. */
interface Watched {
  readonly token: string;
  readonly beats: number;
  readonly since: number;
  /** A heartbeat was seen. */
  readonly alive: boolean;
}

/** Keeps leases as files of the branch: a process has a lease once it pushed a state with it. */
export function gitLeases(branch: Branch, held: HeldLeases, given: LeaseTiming): Leases {
  const timing = { beatEvery: BEAT_EVERY, lifetime: LIFETIME, ...given };
  const keeper = leaseKeeper({ branch, held, timing });
  const watched = new Map<string, Watched>();
  const judge = async (path: string, content: unknown): Promise<FoundLease | undefined> => {
    if (content === undefined) return undefined;
    if (!isLease(content)) throw damagedLease(path);
    const seen = watch(watched, path, content);
    const silentFor = performance.now() - seen.since;
    const state = leaseStateOf(await fateOfHolder(content, timing), content, silentFor);
    const found = foundLease(content, state, silentFor, path);
    const age = timing.clock().getTime() - found.heartbeatAt.getTime();
    const mayBeGone = state === 'held' && !seen.alive && age > content.lifetime;
    return mayBeGone ? { ...found, silentFor: age, expiresIn: content.lifetime - silentFor } : found;
  };
  const find = async (key: LeaseKey): Promise<FoundLease | undefined> => {
    const tip = await branch.refresh();
    const paths = tip.under(`${serviceFolder(key.service)}/`);
    const contents = await Promise.all(paths.map((path) => readLease(tip, path)));
    // Watches all leases of the service: a wait for one that a dead runner left then counts for its others too.
    for (const [index, path] of paths.entries()) {
      const content = contents[index];
      if (isLease(content)) watch(watched, path, content);
    }
    const own = pathOf(key);
    return judge(own, contents[paths.indexOf(own)]);
  };
  return {
    async take(claim) {
      const path = pathOf(claim);
      const holder = await newHolder(claim, timing);
      for (;;) {
        const by = await find(claim);
        if (by?.state === 'held') return { is: 'held', by };
        if (!(await place(path, holder, by, branch, timing.clock))) continue;
        return { is: 'taken', lease: keeper.keep(path, holder) };
      }
    },
    find,
    async list(service) {
      const tip = await branch.refresh();
      const found = tip
        .under(`${serviceFolder(service)}/`)
        .map(async (path) =>
          judge(path, await readLease(tip, path)).catch(
            (): DamagedLease => ({ state: 'damaged', place: `${PLACE}${path}#` }),
          ),
        );
      return (await Promise.all(found)).filter((one) => one !== undefined);
    },
    async remove(given) {
      if (!given.startsWith(PLACE)) return;
      const [path = '', token = ''] = given.slice(PLACE.length).split('#');
      await branch.change({ subject: `Lock ${path} released by force`, edits: (tip) => removeLease(path, token, tip) });
    },
  };
}

function watch(watched: Map<string, Watched>, path: string, { token, beats }: LeaseContent): Watched {
  const before = watched.get(path);
  if (before?.token === token && before.beats === beats) return before;
  const seen = { token, beats, since: performance.now(), alive: before?.token === token };
  watched.set(path, seen);
  return seen;
}

/** Places a lease and returns whether the holder has it: it replaces only none, or the very lease that was judged. */
async function place(
  path: string,
  holder: Holder,
  seen: FoundLease | undefined,
  branch: Branch,
  clock: () => Date,
): Promise<boolean> {
  const { command, user, host, environment, service } = holder;
  const what = holder.workspace === undefined ? `login ${holder.login}` : `workspace ${holder.workspace}`;
  let taken = false;
  await branch.change({
    subject: `${environment} (${service}): "${command}" of ${user} on ${host} locks ${what}`,
    async edits(tip) {
      const found = await readLease(tip, path);
      const token = isLease(found) ? found.token : undefined;
      taken = token === holder.token || (found === undefined ? seen === undefined : token === seen?.holder.token);
      if (!taken || token === holder.token) return [];
      return [leaseFile(path, { ...holder, beats: 0, beatAt: clock().toISOString() })];
    },
  });
  return taken;
}

const damagedLease = (path: string): DexsyncError =>
  new DexsyncError('LEASE_DAMAGED', `The lock ${path} of the ledger's branch cannot be read.`, {
    hint: 'If no other dexsync works in this environment, remove it with `dexsync lock release --force`.',
  });
