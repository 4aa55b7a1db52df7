import type { World } from '../harness/world.js';
import {
  canDo,
  type FieldModel,
  type Fields,
  initialFields,
  type Json,
  KIND_NAMES,
  type KindName,
  kindModel,
  NAMES,
  put,
  sameValue,
} from '../model/kinds.js';
import { type LiveObject, type Manifest, mapReferences, named, newObject, remove, rename } from '../model/world.js';
import { Violation } from '../violation.js';

/** A value as a manifest asks for it. */
export function drawValue(
  { random, ...world }: World,
  manifests: readonly Manifest[],
  kind: KindName,
  field: string,
): Json {
  const { values, refersTo } = kindModel(kind).fields[field] ?? { values: [] };
  if (refersTo === undefined || refersTo === 'User') return random.pick(values);
  const known = manifests.filter((one) => one.kind === refersTo).map(({ name }) => name);
  const live = world.workspace.live.filter((one) => one.kind === refersTo).map(({ name }) => name);
  return [...new Set([...known, ...live])].filter(() => random.chance(40));
}

export const FILES = ['one', 'two', 'deep/three'] as const;

/** Writes a manifest of a new object; false where its name is taken. */
export function addManifest(world: World, all: Manifest[]): boolean {
  const { random } = world;
  const [kind, name] = [random.pick(KIND_NAMES), random.pick(NAMES)];
  if (!isFree(all, kind, name)) return false;
  const { fields } = kindModel(kind);
  const chosen = Object.keys(fields).filter((field) => fields[field]?.required === true || random.chance(50));
  const spec = Object.fromEntries(chosen.map((field) => [field, drawValue(world, all, kind, field)]));
  all.push({ kind, name, file: random.pick(FILES), spec });
  return true;
}

const isFree = (manifests: readonly Manifest[], kind: KindName, name: string): boolean =>
  !manifests.some((one) => one.kind === kind && one.name === name);

/** Gives a manifest another name, also where others refer to it, and returns the former one. */
export function renameTo({ random }: World, one: Manifest, all: Manifest[]): string | undefined {
  const free = NAMES.filter((name) => isFree(all, one.kind, name));
  if (free.length === 0) return undefined;
  const name = random.pick(free);
  const former = one.name;
  one.name = name;
  for (const other of all)
    other.spec = mapReferences(other.kind, other.spec, (kind, entry) =>
      kind === one.kind && entry === former ? name : entry,
    );
  return former;
}

const seen = ({ guid = '', kind, name, fields }: LiveObject) => ({ guid, kind, name, fields });

/** Fields that people can change in the service's own pages. */
export const editableFields = ({ kind }: LiveObject, { workspace }: World): string[] =>
  canDo(kind, workspace.dialect).update.filter((field) => field in kindModel(kind).fields);

/** Changes such a field of a live object; false where that is not possible. */
export async function editLive(world: World, object: LiveObject, field: string): Promise<boolean> {
  const model = kindModel(object.kind).fields[field] as FieldModel;
  return setLive(world, object, field, drawLiveValue(world, model, object.fields[field]));
}

export async function setLive(world: World, object: LiveObject, field: string, value: Json): Promise<boolean> {
  if (sameValue(value, object.fields[field])) return false;
  const status = await world.service.edit(seen(object), { [field]: value });
  if (status >= 300) return false;
  world.note(`# somebody sets ${field} of ${object.kind} "${object.name}" to ${JSON.stringify(value)}`);
  object.fields[field] = value;
  return true;
}

/** A value as people put it into the service's own pages, where only what lives can be referred to: another one than `now`. */
function drawLiveValue({ random, workspace: { live } }: World, { values, refersTo }: FieldModel, now?: Json): Json {
  if (refersTo === undefined || refersTo === 'User')
    return random.pick(values.filter((value) => now === undefined || !sameValue(value, now)));
  const names = live.filter(({ kind }) => kind === refersTo).map(({ name }) => name);
  return names.filter(() => random.chance(40));
}

export const drawFields = (world: World, kind: KindName): Fields =>
  Object.fromEntries(
    Object.entries(kindModel(kind).fields).map(([field, model]) => [field, drawLiveValue(world, model)]),
  );

export async function createLive(world: World, kind: KindName, name: string, fields: Fields): Promise<LiveObject> {
  if ((await world.service.create(kind, name, fields)) >= 300)
    throw new Violation(0, `${kind} "${name}" was not created by hand.`);
  world.note(`# somebody creates ${kind} "${name}": ${JSON.stringify(fields)}`);
  const object = newObject(kind, name, put(fields, initialFields(kind)));
  world.workspace.live.push(object);
  return object;
}

export async function renameLive(world: World, object: LiveObject): Promise<boolean> {
  const { workspace } = world;
  const free = NAMES.filter((name) => named(workspace, object.kind, name).length === 0);
  if (free.length === 0 || !canDo(object.kind, workspace.dialect).update.includes('name')) return false;
  const name = world.random.pick(free);
  if ((await world.service.edit(seen(object), { name })) >= 300) return false;
  world.note(`# somebody renames ${object.kind} "${object.name}" to "${name}"`);
  rename(workspace, object, name);
  return true;
}

export async function deleteLive(world: World, object: LiveObject): Promise<boolean> {
  if ((await world.service.remove(seen(object))) >= 300) return false;
  world.note(`# somebody deletes ${object.kind} "${object.name}"`);
  remove(world.workspace, object);
  return true;
}

/** Somebody deletes an object and creates another one that is like it. */
export async function recreateLive(world: World, object: LiveObject): Promise<boolean> {
  const { kind, name, fields } = object;
  if (Object.values(kindModel(kind).fields).some(({ refersTo }) => refersTo !== undefined && refersTo !== 'User'))
    return false;
  if (!(await deleteLive(world, object))) return false;
  await createLive(world, kind, name, fields);
  return true;
}
