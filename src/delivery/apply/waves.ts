import type { Address } from '#core/model/address.js';
import type { Step } from '#core/model/plan.js';

/** Where the imports of one wave meet: none continues before each of them has arrived or ended. */
export interface Meeting {
  arrive(address: Address): void;
  readonly complete: Promise<void>;
}

const isImport = ({ writes }: Step): boolean => writes.some(({ verb }) => verb === 'import');

/**
 * Returns the meeting of each import's wave. Imports that do not need each other are validated together before any of
 * them is committed (design, section 8); one that needs another is in a later wave.
 */
export function meetings(steps: readonly Step[]): ReadonlyMap<Address, Meeting> {
  const imports = new Map(steps.filter(isImport).map((step) => [step.address, step]));
  const waves = new Map<Address, number>();
  const waveOf = (step: Step): number => {
    const known = waves.get(step.address);
    if (known !== undefined) return known;
    const needed = step.dependsOn.flatMap((address) => imports.get(address) ?? []);
    const wave = needed.reduce((latest, one) => Math.max(latest, waveOf(one) + 1), 0);
    waves.set(step.address, wave);
    return wave;
  };
  const byWave = new Map<number, Address[]>();
  for (const step of imports.values()) byWave.set(waveOf(step), [...(byWave.get(waveOf(step)) ?? []), step.address]);
  return new Map(
    [...byWave.values()].flatMap((addresses) => {
      const meeting = meetingOf(addresses);
      return addresses.map((address) => [address, meeting] as const);
    }),
  );
}

function meetingOf(addresses: readonly Address[]): Meeting {
  const awaited = new Set(addresses);
  let open = (): void => undefined;
  const complete = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    complete,
    arrive(address) {
      awaited.delete(address);
      if (awaited.size === 0) open();
    },
  };
}
