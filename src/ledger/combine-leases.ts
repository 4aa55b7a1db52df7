import type { Lease, Leases } from './lease.js';

/** Combines places of leases: a lease is taken only if every place grants it. Places are asked in order. */
export function combinePlaces(places: readonly Leases[]): Leases {
  return {
    async take(claim) {
      const own: Lease[] = [];
      try {
        for (const place of places) {
          const taken = await place.take(claim);
          if (taken.is === 'held') {
            await combineLeases(own).release();
            return taken;
          }
          own.push(taken.lease);
        }
      } catch (error) {
        await combineLeases(own).release();
        throw error;
      }
      return { is: 'taken', lease: combineLeases(own) };
    },
    async find(key) {
      const found = (await Promise.all(places.map((place) => place.find(key)))).filter((one) => one !== undefined);
      return found.find(({ state }) => state === 'held') ?? found[0];
    },
    list: async (service) => (await Promise.all(places.map((place) => place.list(service)))).flat(),
    async remove(place) {
      for (const one of places) await one.remove(place);
    },
  };
}

/** Combines leases into one. `check` throws the first loss; `release` releases all at once, which can cost less. */
export const combineLeases = (leases: readonly Lease[]): Lease => ({
  async check() {
    const checks = await Promise.allSettled(leases.map((lease) => lease.check()));
    const failed = checks.find((check) => check.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  },
  async release() {
    await Promise.all(leases.map((lease) => lease.release()));
  },
});
