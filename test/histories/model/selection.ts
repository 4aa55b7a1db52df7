import type { Place } from './situation.js';
import { addressOf, addressOfManifest, type Manifest, referencesIn } from './world.js';

/** What a command is about that names addresses: their manifests, and what those refer to. Without any it is all of them. */
export function selectedManifests({ clone: { manifests }, only }: Place): readonly Manifest[] {
  if (only === undefined) return manifests;
  const byAddress = new Map(manifests.map((one) => [addressOfManifest(one), one]));
  const selected = new Set(only.flatMap((address) => byAddress.get(address) ?? []));
  for (const { kind, spec } of selected)
    for (const needed of targetsOf(kind, spec))
      for (const one of [byAddress.get(needed) ?? []].flat()) selected.add(one);
  return manifests.filter((one) => selected.has(one));
}

const targetsOf = (...[kind, spec]: Parameters<typeof referencesIn>): string[] =>
  referencesIn(kind, spec).map((one) => addressOf(one.kind, one.name));

/** Whether a selection lets an object go that no manifest describes: a selection only narrows, also for what others refer to. */
export function mayGo(address: string, place: Place): boolean {
  const { only, clone } = place;
  if (only === undefined) return true;
  const selected = selectedManifests(place);
  const leftOut = clone.manifests.filter((one) => !selected.includes(one));
  const isFormer = clone.manifests.some(({ kind, renamedFrom = '' }) => addressOf(kind, renamedFrom) === address);
  return (
    only.includes(address) && !isFormer && !leftOut.some(({ kind, spec }) => targetsOf(kind, spec).includes(address))
  );
}
