import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeApply } from '../laws/applies.js';
import { judgeDisturbed } from '../laws/disturbed.js';
import { judgeDrift } from '../laws/drift.js';
import { judgePull } from '../laws/pulls.js';
import { judgeSaved, savePlan } from '../laws/saved-plans.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { KIND_NAMES, type KindName, kindModel, NAMES, sameValue, USERS } from '../model/kinds.js';
import { situationOf } from '../model/situation.js';
import { type LiveObject, type Manifest, named } from '../model/world.js';
import {
  createLive,
  deleteLive,
  drawFields,
  drawValue,
  editableFields,
  editLive,
  recreateLive,
  renameLive,
  renameTo,
  setLive,
} from './changes.js';
import { type Operation, operation } from './operation.js';

/** A manifest, the object that it describes, and one of the fields of both. */
interface Pair {
  readonly world: World;
  readonly site: Site;
  readonly manifest: Manifest;
  readonly object: LiveObject;
  readonly field: string;
}

/** What an engineer does to the manifest of an object. */
const BY_ENGINEER: Readonly<Record<string, (pair: Pair) => void>> = {
  edit: editManifest,
  rename({ world, site, manifest }) {
    const former = renameTo(world, manifest, site.model.manifests);
    if (former !== undefined) manifest.renamedFrom = former;
  },
  remove({ site: { model }, manifest }) {
    model.manifests.splice(model.manifests.indexOf(manifest), 1);
  },
};

/** A value that is neither what the manifest asks for nor what lives by now, where there is one. */
function editManifest({ world, site, manifest, object, field }: Pair): void {
  const { kind, spec } = manifest;
  const known = [spec[field], object.fields[field]];
  const others = kindModel(kind).fields[field]?.values.filter((value) => !known.some((one) => sameValue(one, value)));
  const value =
    others === undefined || others.length === 0
      ? drawValue(world, site.model.manifests, kind, field)
      : world.random.pick(others);
  manifest.spec = { ...spec, [field]: value };
}

/** A list of users gets the others in place of those that it has, at times together with another field. */
async function exchangeEntries({ world, site, manifest }: Pair): Promise<void> {
  const { kind, spec } = manifest;
  const { fields } = kindModel(kind);
  const list = listOfUsers(kind) as string;
  const others = Object.keys(fields).filter((one) => one !== list && fields[one]?.refersTo === undefined);
  const [first, ...rest] = world.random.chance(50) ? USERS : USERS.toReversed();
  for (const entries of [[first], rest]) {
    const field = world.random.pick(others);
    const beside = world.random.chance(50) ? { [field]: drawValue(world, site.model.manifests, kind, field) } : {};
    manifest.spec = { ...spec, ...beside, [list]: entries };
    world.write(site);
    await judgeApply(world, site, {});
  }
}

const listOfUsers = (kind: KindName): string | undefined =>
  Object.entries(kindModel(kind).fields).find(([, { refersTo }]) => refersTo === 'User')?.[0];

/** What people do to the object meanwhile. */
const BY_HAND: Readonly<Record<string, (pair: Pair) => Promise<unknown>>> = {
  edit: async ({ world, object, field, manifest }) => {
    const { random } = world;
    const fields = editableFields(object, world);
    if (fields.length === 0) return;
    const { children } = kindModel(object.kind);
    const unnamed = fields.filter((one) => !(one in manifest.spec || children.includes(one)));
    const first = fields.includes(field) ? field : random.pick(fields);
    const other = unnamed.length === 0 ? first : random.pick(unnamed);
    const both = [first, other];
    for (const one of new Set(random.pick([[first], [other], both, both]))) await editLive(world, object, one);
  },
  rename: ({ world, object }) => renameLive(world, object),
  delete: ({ world, object }) => deleteLive(world, object),
  'delete and create anew': ({ world, object }) => recreateLive(world, object),
  refer: referTo,
};

/** Something that no manifest describes refers to the object from now on. */
async function referTo({ world, site, object }: Pair): Promise<void> {
  const { workspace, random } = world;
  const [kind, field] = referringField(object.kind) ?? [];
  if (kind === undefined || field === undefined || workspace.dialect !== 'reference') return;
  const isDescribed = (name: string): boolean =>
    site.model.manifests.some((one) => one.kind === kind && [one.name, one.renamedFrom].includes(name));
  const name = random.pick(['Others', ...NAMES].filter((one) => !isDescribed(one)));
  const [found] = named(workspace, kind, name);
  const referring = found ?? (await createLive(world, kind, name, { ...drawFields(world, kind), [field]: [] }));
  if (found === undefined) await judgeWorkspace(world);
  await setLive(world, referring, field, [object.name]);
}

function referringField(to: KindName): readonly [KindName, string] | undefined {
  for (const kind of KIND_NAMES)
    for (const [field, { refersTo }] of Object.entries(kindModel(kind).fields))
      if (refersTo === to) return [kind, field];
  return undefined;
}

/** An object that this stack owns under the name that its manifest gives it. */
function drawPair(world: World, site: Site, isMeant: (kind: KindName) => boolean): Pair | undefined {
  const { random } = world;
  const place = world.placeOf(site);
  const pairs = site.model.manifests.flatMap((manifest) => {
    const { is, object } = situationOf(manifest, place);
    if (!isMeant(manifest.kind)) return [];
    return is === 'own' && object !== undefined && object.name === manifest.name ? [{ manifest, object }] : [];
  });
  if (pairs.length === 0) return undefined;
  const { manifest, object } = random.pick(pairs);
  const asked = Object.keys(manifest.spec);
  const isAsked = asked.length > 0 && random.chance(70);
  const field = random.pick(isAsked ? asked : Object.keys(kindModel(manifest.kind).fields));
  return { world, site, manifest, object, field };
}

const pickFrom = <T>({ random }: World, table: Readonly<Record<string, T>>): T => random.pick(Object.values(table));

function changeManifest(pair: Pair): void {
  pickFrom(pair.world, BY_ENGINEER)(pair);
  pair.world.write(pair.site);
}

async function changeByHand(pair: Pair): Promise<void> {
  // Most of what people do is to edit.
  const names = [...Object.keys(BY_HAND), 'edit', 'edit', 'edit'];
  await BY_HAND[pair.world.random.pick(names)]?.(pair);
  await judgeWorkspace(pair.world);
  pair.world.letTimePass();
}

const PRUNING = { prune: true, allowChangedDeletes: true } as const;

/** What somebody asks then. */
const ASKED: Readonly<Record<string, (world: World, site: Site) => Promise<unknown>>> = {
  apply: (world, site) => judgeApply(world, site, {}),
  'apply --prune': (world, site) => judgeApply(world, site, PRUNING),
  'disturbed apply': (world, site) => judgeDisturbed(world, site, PRUNING),
  'pull --drifted': (world, site) => judgePull(world, site, { drifted: true }),
};

const onPair = (
  name: string,
  weight: number,
  act: (pair: Pair) => Promise<unknown>,
  isMeant: (kind: KindName) => boolean = () => true,
): Operation =>
  operation(name, weight, async (world, site) => {
    await judgeApply(world, site, { adopt: true });
    // What is gone counts as deleted only once the service shows all that was written.
    world.letTimePass();
    const pair = drawPair(world, site, isMeant);
    if (pair !== undefined) await act(pair);
    return undefined;
  });

/** One object that engineers and people change without knowing of each other. */
export const BOTH_SIDES: readonly Operation[] = [
  onPair('both sides change', 16, async (pair) => {
    const { world, site } = pair;
    if (world.random.chance(75)) await changeByHand(pair);
    changeManifest(pair);
    await judgeDrift(world, site);
    await pickFrom(world, ASKED)(world, site);
    world.letTimePass();
    await judgeApply(world, site, world.random.chance(50) ? PRUNING : {});
  }),
  onPair('apply PLAN after a change by hand', 5, async (pair) => {
    const { world, site } = pair;
    changeManifest(pair);
    const isSaved = (await savePlan(world, site, { ...PRUNING, adopt: true })) !== 'skipped';
    await changeByHand(pair);
    if (isSaved) await judgeSaved(world, site, site.saved.at(-1));
  }),
  onPair('exchange entries', 4, exchangeEntries, (kind) => listOfUsers(kind) !== undefined),
];
