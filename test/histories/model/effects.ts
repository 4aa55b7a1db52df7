import { canDo, initialFields, kindModel, put } from './kinds.js';
import { selectedManifests } from './selection.js';
import { factAbout, type Place, type Situation, situationOf } from './situation.js';
import {
  addressOf,
  addressOfManifest,
  type Clone,
  differing,
  type Fact,
  type LiveObject,
  type Manifest,
  newObject,
  remove,
  rename,
  type Workspace,
} from './world.js';

/** A step that a command says it has done. */
export interface DoneStep {
  readonly address: string;
  readonly action: string;
  /** The name of an object before it was renamed away. */
  readonly retiredAs?: string;
}

/**
 * Carries out in the model what a plan has said and done: workspace and ledger. Which object each step means was decided
 * before. An apply of a saved plan reads no manifests, so it learns nothing of objects beside its steps.
 */
export function carryOut(place: Place, steps: readonly DoneStep[], { isSaved = false } = {}): void {
  const meant = steps.map((step) => {
    const manifest = place.clone.manifests.find((one) => addressOfManifest(one) === step.address);
    return { step, manifest, situation: manifest && situationOf(manifest, place) };
  });
  for (const { step, manifest, situation } of meant) {
    if (manifest === undefined || situation === undefined) removeLeft(place, step);
    else applyManifest(place, manifest, situation, step);
  }
  if (!isSaved) learnBeside(place, new Set(steps.map(({ address }) => address)));
}

function applyManifest(
  place: Place,
  manifest: Manifest,
  situation: Situation,
  { address, action, retiredAs }: DoneStep,
): void {
  const { workspace, ledger } = place;
  const { object } = situation;
  const known = object && factAbout(object, ledger);
  if (action === 'replace' && object !== undefined) {
    retire(workspace, object, manifest.name, retiredAs);
    if (known !== undefined) ledger.delete(known.address);
  }
  if (action === 'create' || action === 'replace' || object === undefined) {
    forgetFormer(place, manifest, object);
    // What people changed before a replacement goes along, and stays drift.
    const before = action === 'replace' ? situation.fact : undefined;
    const fact = factOf(place, manifest, create(place, manifest, object?.fields), before);
    const loose = kindModel(manifest.kind).children.filter((field) => !(field in manifest.spec));
    ledger.set(address, { ...fact, loose });
    return;
  }
  const { update } = canDo(manifest.kind, workspace.dialect);
  const isRenamed = object.name !== manifest.name;
  const isFixed = differing(manifest.spec, object.fields).some((field) => !update.includes(field));
  if (object.name === manifest.renamedFrom) forgetFormer(place, manifest, object);
  if (isRenamed) rename(workspace, object, manifest.name);
  if (known !== undefined) ledger.delete(known.address);
  // Before a replacement, an apply only ends protection, and gives it its name.
  const written = Object.entries(isFixed && !isRenamed ? {} : manifest.spec).filter(([field]) =>
    update.includes(field),
  );
  Object.assign(object.fields, put(Object.fromEntries(written), object.fields));
  const fact = factOf(place, manifest, object, situation.fact);
  ledger.set(address, isFixed ? { ...fact, base: { ...fact.base, ...situation.fact?.base } } : fact);
}

/** A former name that still leads to another object goes on doing so. */
function forgetFormer({ workspace, ledger }: Place, { kind, renamedFrom = '' }: Manifest, object?: LiveObject): void {
  const former = addressOf(kind, renamedFrom);
  const known = ledger.get(former)?.object;
  if (known !== undefined && (known === object || !workspace.live.includes(known))) ledger.delete(former);
}

/** What a manifest does not name a new object has from the service, or from the one that it replaces. */
function create({ workspace }: Place, { kind, name, spec }: Manifest, unnamed = initialFields(kind)): LiveObject {
  const object = newObject(kind, name, put(spec, unnamed));
  workspace.live.push(object);
  return object;
}

function removeLeft({ workspace, ledger }: Place, { address, action, retiredAs }: DoneStep): void {
  const fact = ledger.get(address);
  if (fact === undefined) return;
  if (action === 'delete') remove(workspace, fact.object);
  if (action === 'retire') retire(workspace, fact.object, fact.object.name, retiredAs);
  ledger.delete(address);
}

/** Renames an object away. Without the new name, as that of a killed program, it is learned when it is seen. */
function retire(workspace: Workspace, object: LiveObject, from: string, as: string | undefined): void {
  rename(workspace, object, as ?? `${from} ~retired`);
  if (as === undefined) object.retiredFrom = from;
}

/** What the ledger learns when a manifest was applied: what it names is as it asks, the rest as it was known, or else seen. */
function factOf({ clone }: Place, { kind, spec, protect = false }: Manifest, object: LiveObject, before?: Fact): Fact {
  const { children } = kindModel(kind);
  const seen = Object.fromEntries(Object.entries(object.fields).filter(([field]) => !children.includes(field)));
  const loose = (before?.loose ?? []).filter((field) => !(field in spec));
  return { stack: clone.stack, object, protect, base: put(spec, { ...seen, ...before?.base }), loose };
}

/** What an apply learns of objects beside its steps: what a manifest names only where it is as asked. */
function learnBeside(place: Place, done: ReadonlySet<string>): void {
  const { ledger } = place;
  for (const manifest of selectedManifests(place)) {
    const address = addressOfManifest(manifest);
    const { is, object, fact } = situationOf(manifest, place);
    if (is !== 'own' || object === undefined || done.has(address) || object.name !== manifest.name) continue;
    if (ledger.get(address)?.object !== object) continue;
    const asked = differing(manifest.spec, object.fields).length === 0 ? manifest : { ...manifest, spec: {} };
    ledger.set(address, { ...factOf(place, asked, object, fact), protect: fact?.protect ?? false });
  }
}

/** What is adopted is as it is. */
export const adoptedFact = ({ stack }: Clone, object: LiveObject, manifest: Manifest | undefined): Fact => ({
  stack,
  object,
  protect: manifest?.protect ?? false,
  base: { ...object.fields },
});
