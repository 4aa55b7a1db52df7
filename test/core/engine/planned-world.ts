import fc from 'fast-check';
import { expect } from 'vitest';
import { addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { Plan, Step } from '#core/model/plan.js';
import { applied, type World } from './apply-model.js';
import { claimsOf, type Described, manifestsOf, type Options, type Planned, planned, STACK } from './planning-world.js';
import type { Stored } from './service-model.js';

const CHILDREN = ['members', 'triggers', 'administrators'];

export function manifestsIn(described: readonly Described[]): readonly Manifest[] {
  const { manifests, findings } = manifestsOf(described);
  expect(findings).toEqual([]);
  return manifests;
}

/** The plan for a world of which is seen what a command would read. A case that a command would refuse is none. */
export const planOf = (world: World, manifests: readonly Manifest[], options: Options): Plan =>
  plannedOf(world, manifests, options).plan;

/** Plans, and gives the input of the plan too. */
export function plannedOf({ service, facts }: World, manifests: readonly Manifest[], options: Options): Planned {
  const made = planned({
    ...options,
    manifests,
    observation: service.observe(
      childrenRead({ service, facts }, manifests, options),
      new Set(manifests.flatMap(claimsOf)),
    ),
    facts,
    capabilityOf: (kind) => service.can(kind.name),
  });
  fc.pre(made.findings.length === 0);
  return made;
}

/** The children that a manifest names; all of them where something is removed or the object is recreated. */
function childrenRead(
  { facts }: World,
  manifests: readonly Manifest[],
  { prune, replace = [] }: Options,
): (object: Stored) => readonly string[] {
  const described = new Set(manifests.flatMap(claimsOf));
  const isRemoving =
    prune === 'yes' && [...facts].some(([address, { stack }]) => stack === STACK && !described.has(address));
  return ({ id, kind, name }) => {
    const meant = manifests.filter(
      (manifest) => claimsOf(manifest).includes(addressOf(kind, name)) || facts.get(manifest.address)?.identity === id,
    );
    const isWhole = isRemoving || meant.some(({ address }) => replace.includes(address));
    return isWhole ? CHILDREN : meant.flatMap(({ spec }) => Object.keys(spec));
  };
}

/** What a plan would do. */
export const open = ({ steps }: Plan): readonly Step[] =>
  steps.filter(({ action }) => action !== 'blocked' && action !== 'manual');

export interface Settled {
  readonly world: World;
  /** What is left to do. */
  readonly plan: Plan;
  /** The options of that plan. */
  readonly options: Options;
}

/** Applies the plan; once more where a replacement first lifted protection, or a duplicate got its own name back. */
export function settled(world: World, manifests: readonly Manifest[], options: Options): Settled {
  const first = planOf(world, manifests, options);
  const once = after(world, first, manifests, options);
  const waited = first.steps.filter(
    ({ reason, wanted, fields }) =>
      (reason === 'ambiguous' && wanted === 'replace') || fields.some(({ path }) => path === 'metadata.protect'),
  );
  const isDue = open(once.plan).some(({ address }) => waited.some((step) => step.address === address));
  return isDue ? after(once.world, once.plan, manifests, once.options) : once;
}

function after(before: World, plan: Plan, manifests: readonly Manifest[], options: Options): Settled {
  const world = applied(before, plan);
  const made = new Set<string>(
    plan.steps.filter(({ action }) => action === 'replace' || action === 'create').map(({ address }) => address),
  );
  // An object that was recreated on request is not requested again.
  const later = { ...options, replace: (options.replace ?? []).filter((address) => !made.has(address)) };
  return { world, plan: planOf(world, manifests, later), options: later };
}
