import { canDo, type Fields, kindModel, sameValue } from './kinds.js';
import { importSteps } from './rows.js';
import { mayGo, selectedManifests } from './selection.js';
import { type Place, type Situation, situationOf } from './situation.js';
import {
  addressOf,
  addressOfManifest,
  type Clone,
  differing,
  type Fact,
  type LiveObject,
  type Manifest,
  mapReferences,
  named,
  type Reference,
  referencesIn,
  referrers,
} from './world.js';

/** What a plan has to say of an address: any of these actions, and the top-level fields that change where that is certain. */
export interface ExpectedStep {
  readonly actions: readonly string[];
  readonly fields?: readonly string[];
  /** Whether there is a step depends on when a fault struck. */
  readonly isPossible?: true;
}

/** What a command that plans has to say: an error of the manifests, or these steps and no others. */
export type Expectation = { readonly error: string } | { readonly steps: ReadonlyMap<string, ExpectedStep> };

export interface Planning extends Place {
  readonly prune?: boolean;
  /** Whether this stack may adopt objects of others: agreed to, to be asked for, or not. */
  readonly adopt: 'given' | 'ask' | 'never';
  readonly allowChangedDeletes?: boolean;
}

export function expectedPlan(planning: Planning): Expectation {
  const { clone } = planning;
  const manifests = selectedManifests(planning);
  const error = wrongSelection(planning, manifests) ?? renameClash(clone);
  if (error !== undefined) return { error };
  const situations = situationsOf(manifests, planning);
  const lost = manifests.find((one) =>
    referencesIn(one.kind, one.spec).some((ref) => !isKnown(ref, planning, situations)),
  );
  if (lost !== undefined) return { error: `${addressOfManifest(lost)} refers to nothing` };
  const steps = new Map<string, ExpectedStep>();
  const renamed = namesAfter(manifests, situations);
  for (const manifest of manifests) {
    const address = addressOfManifest(manifest);
    const step = stepOf(manifest, situations.get(address) as Situation, renamed, planning);
    if (step !== undefined) steps.set(address, step);
  }
  holdBack(manifests, situations, steps);
  if (planning.prune === true) addPruned(planning, situations, steps);
  // An import is selected by its own address, which no selection here has.
  const imports = planning.only === undefined ? importSteps(planning) : [];
  for (const [address, step] of imports) steps.set(address, step);
  return { steps };
}

/** What is to go of what no manifest describes. */
function addPruned(
  planning: Planning,
  situations: ReadonlyMap<string, Situation>,
  steps: Map<string, ExpectedStep>,
): void {
  const described = situationsOf(planning.clone.manifests, planning);
  const pruned = prunedSteps(planning, described).filter(([address]) => mayGo(address, planning));
  for (const [address, step] of holdReferenced(pruned, planning, situations, steps)) steps.set(address, step);
}

/** What is wrong with the addresses that a command names: what is to go may be known by the ledger alone. */
function wrongSelection(planning: Planning, manifests: readonly Manifest[]): string | undefined {
  const { only = [], clone, ledger, prune } = planning;
  const described = clone.manifests.map(addressOfManifest);
  const isOwned = (address: string): boolean => prune === true && ledger.get(address)?.stack === clone.stack;
  const unknown = only.find((address) => !described.includes(address) && !isOwned(address));
  if (unknown !== undefined) return `${unknown} is nothing that could be selected`;
  const isNothing = only.length > 0 && manifests.length === 0 && !only.some((address) => mayGo(address, planning));
  return isNothing ? 'nothing is selected' : undefined;
}

const situationsOf = (manifests: readonly Manifest[], place: Place): ReadonlyMap<string, Situation> =>
  new Map(manifests.map((one) => [addressOfManifest(one), situationOf(one, place)]));

/** What needs something that is blocked, or left to people, may be blocked, too: what it refers to, and what took its name. */
function holdBack(
  manifests: readonly Manifest[],
  situations: ReadonlyMap<string, Situation>,
  steps: Map<string, ExpectedStep>,
): void {
  const isHeld = (address: string): boolean => steps.get(address)?.actions.some((action) => isLeft(action)) ?? false;
  const needs = (manifest: Manifest): string[] => [
    ...referencesIn(manifest.kind, manifest.spec).map(({ kind, name }) => addressOf(kind, name)),
    ...[...situations].flatMap(([other, { knownAs }]) => (knownAs === addressOfManifest(manifest) ? [other] : [])),
  ];
  for (let count = -1; count !== countHeld(steps); ) {
    count = countHeld(steps);
    for (const manifest of manifests) {
      const address = addressOfManifest(manifest);
      const step = steps.get(address);
      if (step !== undefined && !step.actions.includes('blocked') && needs(manifest).some(isHeld))
        steps.set(address, { ...step, actions: [...step.actions, 'blocked'] });
    }
  }
}

const isLeft = (action: string): boolean => action === 'blocked' || action === 'manual';

const countHeld = (steps: ReadonlyMap<string, ExpectedStep>): number =>
  [...steps.values()].filter(({ actions }) => actions.includes('blocked')).length;

/** What is wrong with the former names in manifests: a name that another one describes, that two have, or that something refers to. */
export function renameClash(clone: Clone): string | undefined {
  const renamed = clone.manifests.filter(({ renamedFrom }) => renamedFrom !== undefined);
  const formers = renamed.map(({ kind, renamedFrom = '' }) => ({ kind, name: renamedFrom }));
  const addresses = formers.map(({ kind, name }) => addressOf(kind, name));
  if (new Set(addresses).size < addresses.length) return 'two manifests are renamed from the same';
  const described = formers.find((one) => isDescribed(one, clone));
  if (described !== undefined) return `another manifest describes the former ${described.kind} "${described.name}"`;
  const late = clone.manifests.find((one) =>
    referencesIn(one.kind, one.spec).some(({ kind, name }) => addresses.includes(addressOf(kind, name))),
  );
  return late === undefined ? undefined : `${addressOfManifest(late)} refers to a former name`;
}

/** The names that manifests give objects that have other ones, by address. */
export function namesAfter(
  manifests: readonly Manifest[],
  situations: ReadonlyMap<string, Situation>,
): ReadonlyMap<string, string> {
  return new Map(
    manifests.flatMap((manifest): [string, string][] => {
      const { object } = situations.get(addressOfManifest(manifest)) as Situation;
      const isRenamed = object !== undefined && object.name !== manifest.name;
      return isRenamed ? [[addressOf(manifest.kind, object.name), manifest.name]] : [];
    }),
  );
}

const isDescribed = ({ kind, name }: Reference, { manifests }: Clone): boolean =>
  manifests.some((one) => one.kind === kind && one.name === name);

function isKnown(
  { kind, name }: Reference,
  { workspace, clone }: Planning,
  situations: ReadonlyMap<string, Situation>,
): boolean {
  if (isDescribed({ kind, name }, clone)) return true;
  const found = named(workspace, kind, name);
  // A name that somebody gave an object of the manifests is taken away again.
  return found.length === 1 && ![...situations.values()].some(({ is, object }) => is === 'own' && object === found[0]);
}

function stepOf(
  manifest: Manifest,
  situation: Situation,
  renamed: ReadonlyMap<string, string>,
  { workspace: { dialect }, adopt }: Planning,
): ExpectedStep | undefined {
  const { is, object } = situation;
  const can = canDo(manifest.kind, dialect);
  if (is === 'ambiguous' || is === 'foreign') return { actions: ['blocked'] };
  if (object === undefined) return { actions: [can.create === 'yes' ? 'create' : 'manual'] };
  const changed = differing(manifest.spec, withNames(object, renamed));
  const fields = object.name === manifest.name ? changed : [...changed, 'name'];
  const changing = { manifest, object, fields, can };
  return is === 'stranger' ? takeOver(changing, adopt) : change(changing, situation);
}

interface Changing {
  readonly manifest: Manifest;
  readonly object: LiveObject;
  readonly fields: readonly string[];
  readonly can: ReturnType<typeof canDo>;
}

const isFixed = ({ fields, can }: Changing): boolean => fields.some((field) => !can.update.includes(field));

const updateAction = ({ object, manifest }: Changing): string => (object.name === manifest.name ? 'update' : 'rename');

/** What this stack did not make is changed by agreement, and never replaced. */
function takeOver(changing: Changing, adopt: Planning['adopt']): ExpectedStep | undefined {
  const { fields, can } = changing;
  if (fields.length === 0) return adopt === 'never' ? undefined : { actions: ['adopt'], fields: [] };
  if (isFixed(changing)) return { actions: [can.update.includes('name') ? 'blocked' : 'manual'] };
  return adopt === 'never' ? { actions: ['blocked'] } : { actions: [updateAction(changing)], fields };
}

function change(changing: Changing, { fact, knownAs }: Situation): ExpectedStep | undefined {
  const { manifest } = changing;
  const protection = (manifest.protect ?? false) === fact?.protect ? [] : ['metadata.protect'];
  const fields = [...changing.fields, ...protection];
  if (isFixed(changing)) return replacement(changing, fact, fields);
  if (fields.length > 0) return { actions: [updateAction(changing)], fields };
  return knownAs === undefined ? undefined : { actions: ['adopt'], fields: [] };
}

/** What refers to an object that is renamed goes on referring to it. */
export const withNames = ({ kind, fields }: LiveObject, renamed: ReadonlyMap<string, string>): Fields =>
  mapReferences(kind, fields, (refersTo, name) => renamed.get(addressOf(refersTo, name)) ?? name);

/**
 * An object that no update makes what is asked: a new one in its place, if the old one can be renamed away and is not protected.
 * Protection ends with an apply of its own.
 */
function replacement(changing: Changing, fact: Fact | undefined, fields: readonly string[]): ExpectedStep {
  const { manifest, can } = changing;
  if (!can.update.includes('name')) return { actions: ['manual'] };
  if (manifest.protect === true) return { actions: ['blocked'] };
  return fact?.protect === true ? { actions: [updateAction(changing)] } : { actions: ['replace'], fields };
}

/** What of the stack no manifest describes. */
function prunedSteps(planning: Planning, situations: ReadonlyMap<string, Situation>): [string, ExpectedStep][] {
  const { workspace, ledger, clone } = planning;
  const meant = new Set([...situations.values()].map(({ object }) => object));
  const left = [...ledger].filter(
    ([address, { stack, object }]) => stack === clone.stack && !situations.has(address) && !meant.has(object),
  );
  const formers = clone.manifests.map(({ kind, renamedFrom }) => addressOf(kind, renamedFrom ?? ''));
  // An object with the name of a manifest, present or former, is left to the person who sorts that out.
  const isNamed = ({ kind, name }: LiveObject): boolean =>
    situations.has(addressOf(kind, name)) || formers.includes(addressOf(kind, name));
  const clear = left.filter(
    ([address, { object }]) => !formers.includes(address) && !(workspace.live.includes(object) && isNamed(object)),
  );
  return clear.map(([address, fact]) => [
    address,
    workspace.live.includes(fact.object) ? removal(address, fact, planning) : { actions: ['forget'] },
  ]);
}

/** What a manifest, or an object that stays, still refers to is neither deleted nor renamed away. */
function holdReferenced(
  pruned: readonly [string, ExpectedStep][],
  { workspace, ledger, clone }: Planning,
  situations: ReadonlyMap<string, Situation>,
  steps: ReadonlyMap<string, ExpectedStep>,
): ReadonlyMap<string, ExpectedStep> {
  const held = new Map(pruned);
  const objectOf = (address: string): LiveObject => (ledger.get(address) as Fact).object;
  const addresses = new Map(pruned.map(([address]) => [objectOf(address), address]));
  const isAsked = ({ kind, name }: LiveObject): boolean =>
    clone.manifests.some((one) =>
      referencesIn(one.kind, one.spec).some((ref) => ref.kind === kind && ref.name === name),
    );
  /** The step after which an object no longer refers to what the manifests do not name. */
  const release = (referrer: LiveObject, { kind }: LiveObject): ExpectedStep | undefined => {
    const address = addresses.get(referrer);
    if (address !== undefined) return held.get(address);
    const manifest = clone.manifests.find((one) => situations.get(addressOfManifest(one))?.object === referrer);
    if (manifest === undefined) return undefined;
    const isNamed = Object.keys(manifest.spec).some(
      (field) => kindModel(manifest.kind).fields[field]?.refersTo === kind,
    );
    return isNamed ? steps.get(addressOfManifest(manifest)) : undefined;
  };
  const isHeld = (object: LiveObject, [action]: readonly string[]): boolean =>
    isAsked(object) ||
    (action === 'delete' && referrers(workspace, object).some((one) => !isCarriedOut(release(one, object))));
  for (let before = -1; before !== countHeld(held); ) {
    before = countHeld(held);
    for (const [address, { actions }] of held)
      if (takesAway(actions) && isHeld(objectOf(address), actions)) held.set(address, { actions: ['blocked'] });
  }
  return held;
}

const takesAway = ([action]: readonly string[]): boolean => action === 'delete' || action === 'retire';

const isCarriedOut = (step: ExpectedStep | undefined): boolean =>
  step !== undefined && !['blocked', 'manual', 'forget'].includes(step.actions[0] as string);

function removal(address: string, fact: Fact, { workspace, allowChangedDeletes }: Planning): ExpectedStep {
  const { object, protect } = fact;
  const can = canDo(object.kind, workspace.dialect);
  if (protect) return { actions: ['blocked'] };
  if (can.delete === 'no' && !can.update.includes('name')) return { actions: ['manual'] };
  const isChanged = isDrifted(fact) || object.name !== address.slice(object.kind.length + 1);
  if (isChanged && allowChangedDeletes !== true) return { actions: ['blocked'] };
  const goes = can.delete === 'no' ? 'retire' : 'delete';
  return { actions: allowChangedDeletes !== true && mayBeDrifted(fact) ? [goes, 'blocked'] : [goes] };
}

/** Whether a list is not empty of which it may be recorded that it was. */
const mayBeDrifted = ({ loose = [], object }: Fact): boolean =>
  loose.some((field) => !sameValue(object.fields[field], []));

const isDrifted = ({ base, object }: Fact): boolean => driftedFields(base, object.fields).length > 0;

const driftedFields = (base: Fields, fields: Fields): string[] =>
  Object.keys(base).filter((field) => !sameValue(base[field], fields[field]));
