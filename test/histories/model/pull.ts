import { beyond, type Fields, initialFields, type KindName, kindModel, sameValue, within } from './kinds.js';
import { namesAfter, renameClash, withNames } from './plan.js';
import { factAbout, type Place, type Situation, situationOf } from './situation.js';
import {
  addressOf,
  addressOfManifest,
  addressOfObject,
  differing,
  type Fact,
  type Ledger,
  type LiveObject,
  type Manifest,
  named,
} from './world.js';

export interface Pulling extends Place {
  readonly kinds: readonly KindName[];
  /** Whether this stack then owns what has a manifest and no owner. */
  readonly adopt: boolean;
  /** Whether manifests get what changed of fields that they do not name. */
  readonly drifted: boolean;
}

/** What a pull says of an address that it has a manifest of, or writes one of. */
type Word = 'added' | 'edited' | 'unchanged' | 'open';

export interface ExpectedPull {
  /** All manifests as they are afterwards. Where new ones stand is left to the program. */
  readonly manifests: readonly Manifest[];
  /** The names that each object may have in the workspace. */
  readonly words: ReadonlyMap<string, readonly Word[]>;
  /** What a pull of drift may add to a manifest, by address, since it may be recorded what it was. */
  readonly perhaps: ReadonlyMap<string, Fields>;
  readonly adopted: readonly string[];
  /** What the ledger says afterwards, by the addresses of which it learns something. */
  readonly learned: Ledger;
}

/** Live objects as manifests: those that are described are edited where they stand, others are new. */
export function expectedPull(pulling: Pulling): { readonly error: string } | ExpectedPull {
  const { clone, kinds, adopt } = pulling;
  const clash = renameClash(clone);
  if (clash !== undefined) return { error: clash };
  const wanted = clone.manifests.filter(({ kind }) => kinds.includes(kind));
  const situations = new Map(wanted.map((one) => [one, situationOf(one, pulling)]));
  // What is written refers to renamed objects as their manifests call them.
  const renamed = namesAfter(wanted, new Map([...situations].map(([one, is]) => [addressOfManifest(one), is])));
  const shown = (object: LiveObject): Fields => withNames(object, renamed);
  const claimed = new Set([...situations].flatMap(([one, situation]) => claimedBy(one, situation, pulling)));
  const taken = [...situations].flatMap(([manifest, situation]) => takenAs(manifest, situation, pulling, shown));
  const fresh = newManifests(claimed, pulling, shown);
  const edits = new Map(taken.map(({ manifest, spec }) => [manifest, spec]));
  const words = [
    ...taken.map((one): [string, Word[]] => [addressOfObject(one.object), wordsFor(one, pulling)]),
    ...fresh.map(({ object }): [string, Word[]] => [addressOfObject(object), ['added']]),
  ];
  const adopting = adopt ? adoptions([...taken.filter((one) => !isMoved(one)), ...fresh], pulling) : [];
  return {
    manifests: [
      ...clone.manifests.map((one) => ({ ...one, spec: { ...(edits.get(one) ?? one.spec) } })),
      ...fresh.map(({ manifest }) => manifest),
    ],
    words: new Map(words),
    perhaps: new Map(taken.map((one) => [addressOfManifest(one.manifest), pulling.drifted ? looseFields(one) : {}])),
    adopted: adopting.map(([address]) => address),
    learned: new Map([...learnings(taken, pulling), ...adopting]),
  };
}

/** A manifest, and the object that it describes. */
interface Described {
  readonly manifest: Manifest;
  readonly object: LiveObject;
}

interface TakenManifest extends Described {
  readonly fact: Fact | undefined;
  /** Whether the ledger knows it by the address that the manifest has now. */
  readonly isKnown: boolean;
  readonly fields: Fields;
  /** What the manifest asks for after the pull. */
  readonly spec: Manifest['spec'];
}

/** Every object that a manifest may mean, also where it cannot decide between them. */
function claimedBy({ kind, name, renamedFrom = '' }: Manifest, { is, object }: Situation, { workspace }: Place) {
  if (is !== 'ambiguous') return object === undefined ? [] : [object];
  const present = named(workspace, kind, name);
  return present.length > 0 && object === undefined ? present : [...present, ...named(workspace, kind, renamedFrom)];
}

/** Of several objects of one name, only the one that the ledger knows by it can have a manifest. */
const isDescribable = (object: LiveObject, { workspace, ledger }: Place): boolean =>
  named(workspace, object.kind, object.name).length === 1 ||
  ledger.get(addressOf(object.kind, object.name))?.object === object;

/** The fields of an object as manifests write them. */
type Shown = (object: LiveObject) => Fields;

function takenAs(manifest: Manifest, { is, object, fact }: Situation, pulling: Pulling, shown: Shown): TakenManifest[] {
  if (object === undefined || (is !== 'own' && is !== 'stranger') || !isDescribable(object, pulling)) return [];
  const fields = shown(object);
  const live = Object.entries(manifest.spec).map(([field, asked]) => [field, within(asked, fields[field] ?? null)]);
  const known = is === 'own' ? fact : undefined;
  const drift = pulling.drifted ? unnamedDrift(manifest, object, known, fields) : {};
  const isKnown = pulling.ledger.get(addressOfManifest(manifest))?.object === object;
  return [{ manifest, object, fields, fact: known, isKnown, spec: { ...Object.fromEntries(live), ...drift } }];
}

const unnamedDrift = ({ spec }: Manifest, { fields }: LiveObject, fact: Fact | undefined, shown: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fact?.base ?? {}).flatMap(([field, base]) =>
      field in spec || sameValue(base, fields[field]) ? [] : [[field, shown[field] ?? null]],
    ),
  );

/** Somebody gave the object a name that its manifest knows nothing of: a person has to decide. */
const isMoved = ({ manifest, object, isKnown }: TakenManifest): boolean =>
  object.name !== manifest.name && (isKnown || object.name !== manifest.renamedFrom);

function wordsFor(one: TakenManifest, { drifted }: Pulling): Word[] {
  if (isMoved(one)) return ['open'];
  const { manifest, spec, fields } = one;
  const isEdited =
    differing(manifest.spec, fields).length > 0 || Object.keys(spec).some((field) => !(field in manifest.spec));
  if (isEdited) return ['edited'];
  return drifted && Object.keys(looseFields(one)).length > 0 ? ['edited', 'unchanged'] : ['unchanged'];
}

const looseFields = ({ object: { fields }, fact }: TakenManifest): Fields =>
  Object.fromEntries(
    (fact?.loose ?? []).flatMap((field) => (sameValue([], fields[field]) ? [] : [[field, fields[field] ?? null]])),
  );

function newManifests(claimed: ReadonlySet<LiveObject>, pulling: Pulling, shown: Shown): Described[] {
  const { workspace, ledger, clone, kinds } = pulling;
  const isOthers = (object: LiveObject): boolean =>
    (factAbout(object, ledger)?.fact.stack ?? clone.stack) !== clone.stack;
  return workspace.live
    .filter((one) => kinds.includes(one.kind) && !claimed.has(one) && !one.name.includes(' ~retired #'))
    .filter((one) => !isOthers(one) && isDescribable(one, pulling))
    .map((object) => ({
      object,
      manifest: { kind: object.kind, name: object.name, file: '', spec: leanSpec(object.kind, shown(object)) },
    }));
}

/** Without what a new object has anyway. */
function leanSpec(kind: KindName, fields: Fields): Manifest['spec'] {
  const required = Object.entries(kindModel(kind).fields).filter(([, one]) => one.required === true);
  const kept = required.map(([field]) => [field, fields[field] ?? null]);
  return { ...beyond(initialFields(kind), fields), ...Object.fromEntries(kept) };
}

/** What its manifest names is from now on as it lives; the rest stays as it was recorded, or else as it is seen. */
function learnings(taken: readonly TakenManifest[], { drifted, ledger }: Pulling): [string, Fact][] {
  return taken.flatMap((one): [string, Fact][] => {
    const { manifest, object, fact } = one;
    const address = factAbout(object, ledger)?.address;
    if (fact === undefined || address === undefined || isMoved(one)) return [];
    const told = Object.fromEntries(Object.keys(manifest.spec).map((field) => [field, object.fields[field] ?? null]));
    if (drifted) return [[address, { ...fact, base: { ...object.fields }, loose: [] }]];
    const loose = (fact.loose ?? []).filter((field) => !(field in manifest.spec));
    const seen = Object.entries(object.fields).filter(([field]) => !loose.includes(field));
    return [[address, { ...fact, loose, base: { ...Object.fromEntries(seen), ...fact.base, ...told } }]];
  });
}

/** What nobody owns is adopted as it is, under the name that it has. */
function adoptions(described: readonly Described[], { ledger, clone }: Pulling): [string, Fact][] {
  return described.flatMap(({ manifest, object }): [string, Fact][] =>
    factAbout(object, ledger) === undefined
      ? [
          [
            addressOf(object.kind, object.name),
            {
              stack: clone.stack,
              object,
              protect: manifest.name === object.name && manifest.protect === true,
              base: { ...object.fields },
            },
          ],
        ]
      : [],
  );
}
