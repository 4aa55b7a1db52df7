import { type Json, kindModel, meets, sameValue } from './kinds.js';
import { type Place, situationOf } from './situation.js';
import { addressOf, addressOfManifest, addressOfObject, type Fact, type Manifest, named } from './world.js';

/** What `drift` has to say of an object: under either address, any of these words, and these fields. */
export interface ExpectedDrift {
  readonly addresses: readonly string[];
  readonly what: readonly string[];
  readonly fields: readonly string[];
  /** Fields that may be among them. */
  readonly perhaps?: readonly string[];
}

/** What others changed of the objects of a stack since each field was written, adopted, pulled or first recorded. */
export function expectedDrift(place: Place): ExpectedDrift[] {
  const { ledger, clone } = place;
  const meant = new Map(clone.manifests.map((one) => [situationOf(one, place).object, one]));
  return [...ledger].flatMap(([address, fact]) => {
    if (fact.stack !== clone.stack) return [];
    const manifest = meant.get(fact.object) ?? clone.manifests.find((one) => isRenaming(one, address));
    const addresses = [address, ...(manifest === undefined ? [] : [addressOfManifest(manifest)])];
    return driftOf(fact, address, manifest, place).map((one) => ({ addresses, ...one }));
  });
}

const isRenaming = ({ kind, renamedFrom = '' }: Manifest, address: string): boolean =>
  addressOf(kind, renamedFrom) === address;

function driftOf(
  fact: Fact,
  address: string,
  manifest: Manifest | undefined,
  place: Place,
): Omit<ExpectedDrift, 'addresses'>[] {
  const { workspace } = place;
  const { object } = fact;
  const instead = named(workspace, object.kind, address.slice(object.kind.length + 1));
  if (!workspace.live.includes(object)) {
    // The program leaves out what a manifest with another name was renamed from, and its plan creates that.
    const isLeftOut = manifest !== undefined && isRenaming(manifest, address);
    if (instead.length === 0)
      return [{ what: ['deleted'], fields: [], ...(isLeftOut ? { perhaps: ['metadata.renamedFrom'] } : {}) }];
    return [{ what: ['replaced', 'deleted', 'renamed'], fields: [] }];
  }
  const fields = changedFields(fact, manifest);
  const loose = (fact.loose ?? []).filter((field) => manifest?.spec[field] !== undefined);
  const perhaps = [...loose, ...renamedFields(fact, manifest, place), ...reassignedFields(fact, manifest, place)];
  const isRenamed = addressOf(object.kind, object.name) !== address;
  if (!isRenamed) return fields.length + perhaps.length > 0 ? [{ what: ['changed'], fields, perhaps }] : [];
  return [{ what: instead.length === 0 ? ['renamed'] : ['renamed', 'replaced'], fields }];
}

/** Whether each entry that came into a set, or left it, is one that the manifest has, or has not, by now. */
function isAskedEntryByEntry(asked: Json, base: Json | undefined, now: Json | undefined): boolean {
  const [wanted, before, after] = [asked, base, now].map(entriesIn);
  if (wanted === undefined || before === undefined || after === undefined) return false;
  const changed = [...before, ...after].filter((entry) => before.includes(entry) !== after.includes(entry));
  return changed.every((entry) => wanted.includes(entry) === after.includes(entry));
}

/** Sets that others took an entry out of which the manifest has by the name that it is to get. */
function renamedFields({ base, object }: Fact, manifest: Manifest | undefined, { clone }: Place): string[] {
  const renamed = new Map(clone.manifests.map(({ name, renamedFrom }) => [renamedFrom, name]));
  return Object.entries(manifest?.spec ?? {}).flatMap(([field, asked]) => {
    const [wanted, before, after] = [asked, base[field], object.fields[field]].map((set) => textsIn(set) ?? []);
    const isGone = (entry: string): boolean =>
      !after?.includes(entry) && wanted?.includes(renamed.get(entry) ?? '') === true;
    return before?.some(isGone) ? field : [];
  });
}

/** Sets with an object that people gave the name in another manifest: by their names, they have another entry now. */
function reassignedFields({ object }: Fact, manifest: Manifest | undefined, { ledger, clone }: Place): string[] {
  const described = new Set(clone.manifests.map(addressOfManifest));
  const taken = [...ledger].flatMap(([known, { object: one }]) => {
    const address = addressOfObject(one);
    return address !== known && described.has(address) ? one : [];
  });
  const { fields } = kindModel(object.kind);
  return Object.keys(manifest?.spec ?? {}).filter((field) =>
    taken.some(({ kind, name }) => fields[field]?.refersTo === kind && textsIn(object.fields[field])?.includes(name)),
  );
}

/** Entries of sets, and of rules, each of which this model has with the same actions wherever it is. */
const entriesIn = (value: Json | undefined): readonly string[] | undefined =>
  textsIn(value) ??
  (Array.isArray(value) && value.every(isRule) ? value.map((rule) => JSON.stringify(rule)) : undefined);

const isRule = (entry: Json): boolean =>
  typeof entry === 'object' && entry !== null && 'resource' in entry && 'actions' in entry;

const textsIn = (value: Json | undefined): readonly string[] | undefined =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string') ? value : undefined;

/** Without what the manifest asks for by now, and lists that nobody reads. */
function changedFields({ base, object }: Fact, manifest: Manifest | undefined): string[] {
  const { children } = kindModel(object.kind);
  return Object.keys(base).filter((field) => {
    const now = object.fields[field];
    if (sameValue(base[field], now)) return false;
    const asked = manifest?.spec[field];
    if (asked !== undefined && (meets(asked, now) || isAskedEntryByEntry(asked, base[field], now))) return false;
    return !children.includes(field) || manifest?.spec[field] !== undefined;
  });
}
