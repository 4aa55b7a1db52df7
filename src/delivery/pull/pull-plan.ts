import type { Diagnostic } from '#base/diagnostics.js';
import { applyRenamesToFact, type Binding, type Bound, renameReferences } from '#core/engine/bind.js';
import { baseOf } from '#core/engine/field-base.js';
import { listCandidates } from '#core/engine/live-under.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import { mergeSpecs } from '#core/engine/three-way-merge.js';
import { withoutReferences } from '#core/manifest/interpolate.js';
import type { Address } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { LiveIdentity, ObjectFact } from '#core/model/object-fact.js';
import type { LiveManifest } from '#project/live/describe-live.js';
import type { OtherManifest } from '#project/other-manifests.js';
import { driftEdits } from './drift-edits.js';
import type { EditedFiles } from './edited-files.js';
import { allowEdits, type Edit, editsFor } from './edits.js';
import { flowYaml, type PulledFrom, proposeEdit, proposeKnown } from './propose-edit.js';

/** The input of a pull: live objects, and the manifests of the same kinds with their live objects. */
export interface PullInput extends PulledFrom {
  readonly live: readonly LiveManifest[];
  readonly bound: readonly Bound[];
  /** Names that manifests give live objects of another name; written references use them. */
  readonly renamed: Binding['renamed'];
  readonly recorded: Binding['recorded'];
  /** Fields of a kind that the service does not return: their values in manifests stay. */
  readonly hiddenOf: (kind: Kind) => readonly string[];
  /** Returns the ledger's fact about a live object, under any address. */
  readonly factOf: (identity: LiveIdentity) => ObjectFact | undefined;
  readonly stack: string;
  /** Objects that only other environments describe, although these would read new manifests too. */
  readonly elsewhere: ReadonlyMap<Address, OtherManifest>;
  /** Whether a manifest also gets drifted fields that it does not name. */
  readonly takesDrift: boolean;
  /** Whether manifests get nothing but what drifted: what they ask and was not applied yet stays. */
  readonly onlyDrift: boolean;
}

/** The result for every object. */
export interface PullPlan {
  /** Objects without a manifest, also those that become comments because no manifest can describe them. */
  readonly added: readonly LiveManifest[];
  readonly edited: readonly LiveManifest[];
  readonly unchanged: readonly LiveManifest[];
  /** Manifests that match their live objects now, edited or not. */
  readonly taken: readonly Taken[];
  /** Objects whose manifests do not match them: somebody has to decide. */
  readonly open: readonly LiveManifest[];
  /** How many objects replacements have left behind. */
  readonly retired: number;
  readonly findings: readonly Diagnostic[];
}

/** A manifest that matches its live object. */
export interface Taken {
  readonly bound: Bound;
  readonly found: LiveManifest;
}

/** Edits the existing manifests, and finds the live objects that are new to them. */
export function planPull(input: PullInput, files: EditedFiles): PullPlan {
  const { bound, factOf, stack, elsewhere, onlyDrift } = input;
  const live = input.live.map((one) => inManifestNames(one, input));
  const claimed = new Set(bound.flatMap((one) => listCandidates(one.live).map(({ identity }) => identity)));
  const unclaimed = live.filter((one) => !claimed.has(one.live.identity));
  const fresh = onlyDrift ? [] : unclaimed.filter(({ name }) => !hasRetiredName(name));
  const others = fresh.filter((one) => isForeign(factOf(one.live.identity), stack));
  const added = fresh.filter((one) => !others.includes(one));
  const byIdentity = new Map(live.map((one) => [one.live.identity, one]));
  const results = bound.map((one) => editManifest(one, byIdentity, input, files));
  const of = (is: EditedManifest['is']): LiveManifest[] =>
    results.flatMap((one) => (one.is === is && one.manifest !== undefined ? [one.manifest] : []));
  return {
    added: added.filter(({ address }) => !elsewhere.has(address)),
    edited: of('edited'),
    unchanged: of('unchanged'),
    taken: results.flatMap(({ is, manifest }, index): Taken[] =>
      manifest === undefined || is === 'open' ? [] : [{ bound: bound[index] as Bound, found: manifest }],
    ),
    open: of('open'),
    retired: onlyDrift ? 0 : unclaimed.length - fresh.length,
    findings: [
      ...live.filter((one) => !hasRetiredName(one.name) && !others.includes(one)).flatMap(({ findings }) => findings),
      ...others.map((one) => foreignFinding(one, factOf(one.live.identity)?.stack ?? '')),
      ...[...new Set(added.map(({ address }) => address))].flatMap((address) => {
        const other = elsewhere.get(address);
        return other === undefined ? [] : [elsewhereFinding(address, other, input.environment)];
      }),
      ...results.flatMap(({ findings }) => findings),
    ],
  };
}

function inManifestNames(one: LiveManifest, { renamed, catalog }: PullInput): LiveManifest {
  if (renamed.size === 0) return one;
  const { schema } = catalog.knownKind(one.kind);
  const named = (spec: JsonObject): JsonObject => renameReferences(spec, schema, renamed);
  const { whole, lean, live } = one;
  return { ...one, whole: named(whole), lean: named(lean), live: { ...live, spec: named(live.spec) } };
}

const isForeign = (fact: ObjectFact | undefined, stack: string): boolean => fact !== undefined && fact.stack !== stack;

const foreignFinding = ({ address }: LiveManifest, owner: string): Diagnostic => ({
  severity: 'warning',
  code: 'other-stack',
  message: `${address} belongs to the stack "${owner}"; it is left to its manifests.`,
});

const elsewhereFinding = (address: Address, { environment, origin }: OtherManifest, own: string): Diagnostic => ({
  severity: 'warning',
  code: 'described-elsewhere',
  message: `${address} has a manifest that environment "${environment}" reads and "${own}" does not; none was added, as "${environment}" would read both.`,
  hint: `To describe it in both, move that manifest to a folder that both read, or list it under \`environments.${own}.manifests\`.`,
  origin,
});

interface EditedManifest {
  readonly is: 'edited' | 'unchanged' | 'open' | 'absent';
  readonly manifest?: LiveManifest;
  readonly findings: readonly Diagnostic[];
}

function editManifest(
  bound: Bound,
  byIdentity: ReadonlyMap<LiveIdentity, LiveManifest>,
  input: PullInput,
  files: EditedFiles,
): EditedManifest {
  const { live, manifest } = bound;
  if (live.match === 'none') return { is: 'absent', findings: [absentFinding(bound, input.environment)] };
  const found = 'raw' in live ? byIdentity.get(live.raw.identity) : undefined;
  if (found === undefined || found.unwritable !== undefined) return { is: 'absent', findings: [] };
  const known = input.factOf(found.live.identity);
  if (isForeign(known, input.stack)) return { is: 'absent', findings: [foreignFinding(found, known?.stack ?? '')] };
  const { schema } = input.catalog.knownKind(found.kind);
  const fact = known && applyRenamesToFact(known, schema, input.recorded);
  const renamed = live.match === 'moved' ? [renamedFinding(bound, found.name, input.environment)] : [];
  const drifted = input.takesDrift && fact !== undefined ? driftEdits(bound, fact, found, input.catalog) : [];
  const edits = [...allowEdits(manifest, found), ...editsOf(bound, found, fact, input), ...drifted];
  const results = edits.map((edit) => [edit, files.edit(manifest, edit)] as const);
  const left = results.flatMap(([edit, outcome]) => (outcome === 'made' ? [] : [[edit, outcome] as const]));
  const proposals = left.map(([edit, why]) =>
    edit.is === 'set' && edit.in === 'metadata'
      ? proposeKnown(bound, why)
      : proposeEdit(bound, found, edit, why, input),
  );
  const isOpen = renamed.length + left.length > 0;
  const is = isOpen ? 'open' : results.length > 0 ? 'edited' : 'unchanged';
  return { is, manifest: found, findings: [...renamed, ...proposals] };
}

function editsOf(
  { manifest, desired }: Bound,
  found: LiveManifest,
  fact: ObjectFact | undefined,
  { catalog, hiddenOf, onlyDrift }: PullInput,
): Edit[] {
  const kind = catalog.knownKind(found.kind);
  const { schema, grow, otherwise } = kind;
  if (grow !== undefined && grow(desired, { ...found.live, spec: found.whole }).is === 'enough') return [];
  const whole = { ...otherwise?.(found.whole), ...found.whole };
  const drifted = (): JsonObject => {
    const base = fact === undefined ? {} : baseOf(schema, fact);
    return mergeSpecs(schema, { base, theirs: desired, ours: whole }, () => 'release').spec;
  };
  return editsFor({
    schema,
    written: manifest.spec,
    desired,
    live: onlyDrift ? drifted() : whole,
    untouched: [...(manifest.metadata.ignore ?? []), ...found.heldBack.map(({ path }) => path), ...hiddenOf(kind)],
  });
}

const absentFinding = ({ manifest: { address, origins } }: Bound, environment: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-in-workspace',
  message: `${address} is not in environment "${environment}"; its manifest is left as it is.`,
  hint: `The next plan creates it. Remove ${origins.start.row ?? 'the manifest'} if it was deleted on purpose.`,
  origin: origins.start,
});

const renamedFinding = ({ manifest: { address, origins } }: Bound, name: string, environment: string): Diagnostic => ({
  severity: 'warning',
  code: 'renamed-outside',
  message: `${address} is now named "${name}" in environment "${environment}".`,
  hint: `The next plan restores its name. To keep the new one, write ${origins.start.row === undefined ? `\`${flowYaml({ name: withoutReferences(name) }).slice(2, -2)}\` in its metadata` : `it into ${origins.start.row}`}.`,
  origin: origins.value('/metadata/name'),
});
