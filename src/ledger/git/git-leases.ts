import { DexsyncError } from '#base/errors.js';
import type { Claim, DamagedLease, FoundLease, Holder, LeaseKey, Leases, TakeResult } from '../lease.js';
import { fateOfHolder, judgeLease, type LeaseTiming, newHolder } from '../lease-life.js';
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
import { LeaseKeeper } from './lease-keeper.js';

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
  return new BranchLeases(branch, held, given);
}

class BranchLeases implements Leases {
  readonly #branch: Branch;
  readonly #timing: LeaseTiming;
  readonly #keeper: LeaseKeeper;
  readonly #watched = new Map<string, Watched>();

  constructor(branch: Branch, held: HeldLeases, given: LeaseTiming) {
    const timing = { beatEvery: BEAT_EVERY, lifetime: LIFETIME, ...given };
    this.#branch = branch;
    this.#timing = timing;
    this.#keeper = new LeaseKeeper({ branch, held, timing });
  }

  async take(claim: Claim): Promise<TakeResult> {
    const path = pathOf(claim);
    const holder = await newHolder(claim, this.#timing);
    for (;;) {
      const by = await this.find(claim);
      if (by?.state === 'held') return { is: 'held', by };
      if (await this.#place(path, holder, by)) return { is: 'taken', lease: this.#keeper.keep(path, holder) };
    }
  }

  async find(key: LeaseKey): Promise<FoundLease | undefined> {
    const tip = await this.#branch.refresh();
    const paths = tip.under(`${serviceFolder(key.service)}/`);
    const contents = await Promise.all(paths.map((path) => readLease(tip, path)));
    // Watches all leases of the service: a wait for one that a dead runner left then counts for its others too.
    for (const [index, path] of paths.entries()) {
      const content = contents[index];
      if (isLease(content)) this.#watch(path, content);
    }
    const own = pathOf(key);
    return this.#judge(own, contents[paths.indexOf(own)]);
  }

  async list(service: string): Promise<readonly (FoundLease | DamagedLease)[]> {
    const tip = await this.#branch.refresh();
    const paths = tip.under(`${serviceFolder(service)}/`);
    const judge = async (path: string) => this.#judge(path, await readLease(tip, path)).catch(() => damagedAt(path));
    return (await Promise.all(paths.map(judge))).filter((one) => one !== undefined);
  }

  async remove(place: string): Promise<void> {
    if (!place.startsWith(PLACE)) return;
    const [path = '', token = ''] = place.slice(PLACE.length).split('#');
    const subject = `Lock ${path} released by force`;
    await this.#branch.change({ subject, edits: (tip) => removeLease(path, token, tip) });
  }

  async #judge(path: string, content: unknown): Promise<FoundLease | undefined> {
    if (content === undefined) return undefined;
    if (!isLease(content)) throw damagedLease(path);
    const seen = this.#watch(path, content);
    const silentFor = performance.now() - seen.since;
    const state = judgeLease(await fateOfHolder(content, this.#timing), content, silentFor);
    const found = foundLease(content, state, silentFor, path);
    const age = this.#timing.clock().getTime() - found.heartbeatAt.getTime();
    const mayBeGone = state === 'held' && !seen.alive && age > content.lifetime;
    return mayBeGone ? { ...found, silentFor: age, expiresIn: content.lifetime - silentFor } : found;
  }

  #watch(path: string, { token, beats }: LeaseContent): Watched {
    const before = this.#watched.get(path);
    if (before?.token === token && before.beats === beats) return before;
    const seen = { token, beats, since: performance.now(), alive: before?.token === token };
    this.#watched.set(path, seen);
    return seen;
  }

  /** Places a lease and returns whether the holder has it: it replaces only none, or the very lease that was judged. */
  async #place(path: string, holder: Holder, seen: FoundLease | undefined): Promise<boolean> {
    const { command, user, host, environment, service, login, workspace } = holder;
    const what = workspace === undefined ? `login ${login}` : `workspace ${workspace}`;
    let taken = false;
    await this.#branch.change({
      subject: `${environment} (${service}): "${command}" of ${user} on ${host} locks ${what}`,
      edits: async (tip) => {
        const found = await readLease(tip, path);
        const token = isLease(found) ? found.token : undefined;
        taken = token === holder.token || (found === undefined ? seen === undefined : token === seen?.holder.token);
        if (!taken || token === holder.token) return [];
        return [leaseFile(path, { ...holder, beats: 0, beatAt: this.#timing.clock().toISOString() })];
      },
    });
    return taken;
  }
}

const damagedAt = (path: string): DamagedLease => ({ state: 'damaged', place: `${PLACE}${path}#` });

const damagedLease = (path: string): DexsyncError =>
  new DexsyncError('LEASE_DAMAGED', `The lock ${path} of the ledger's branch cannot be read.`, {
    hint: 'If no other dexsync works in this environment, remove it with `dexsync lock release --force`.',
  });
