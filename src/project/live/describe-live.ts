import type { Diagnostic } from '#base/diagnostics.js';
import { naturalOrder } from '#base/natural-order.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import type { Catalog } from '#core/catalog.js';
import { numberAndMaker } from '#core/engine/decision.js';
import { withoutDeadReferences } from '#core/engine/references.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Metadata } from '#core/model/document.js';
import { groupBy } from '#core/model/group-by.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { isDeadReference, type Kind } from '#core/model/kind.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import type { Observed } from '#core/model/observation.js';
import { dottedPath, type Pointer, valueAt } from '#core/model/pointer.js';
import { leanSpec } from './lean-spec.js';
import type { CountNamed } from './read-live.js';
import {
  fieldAround,
  type LooseReference,
  looseReferences,
  placeAround,
  validPart,
  withoutField,
} from './unwritable.js';

/** A field that the lean spec does not name, so that a plan leaves it as it is. */
export interface HeldBack {
  /** Its path as people write it: `options.mapping`. */
  readonly path: string;
  /** The part of it that can be written. */
  readonly value: Json;
  readonly finding: Diagnostic;
}

/** A live object as a manifest describes it. */
export interface LiveManifest {
  readonly address: Address;
  readonly kind: string;
  readonly name: string;
  /** The service's own number, if it has one: it distinguishes objects of one name. */
  readonly number?: number;
  /** Everything that a manifest can say about it, except references to deleted objects. */
  readonly whole: JsonObject;
  /** Without server defaults, empty lists and `heldBack`: in its own workspace it plans no changes. */
  readonly lean: JsonObject;
  readonly heldBack: readonly HeldBack[];
  /** Places of `whole` with values that resemble known ones. */
  readonly doubtful: readonly Pointer[];
  /** Places that `whole` lacks, with the reasons. */
  readonly leftOut: readonly string[];
  /** The reason why no manifest can describe it; absent if one can. */
  readonly unwritable?: string;
  readonly findings: readonly Diagnostic[];
  readonly live: Observed;
}

/** The metadata of a manifest of the object. */
export const liveMetadata = ({ name, doubtful }: Pick<LiveManifest, 'name' | 'doubtful'>): Metadata => ({
  name,
  ...(doubtful.length === 0 ? {} : { known: 'any' }),
});

/** Lookups that resolve objects of one name, and references. */
export interface LiveLookups {
  readonly catalog: Catalog;
  readonly countNamed: CountNamed;
  /** The live object that the ledger knows by an address. */
  readonly identityOf: (address: Address) => LiveIdentity | undefined;
}

/** Describes the live objects of a kind by ascending name, those of one name by number. */
export function describeLive(kind: Kind, objects: readonly Observed[], describing: LiveLookups): LiveManifest[] {
  const sorted = [...objects].sort((a, b) => naturalOrder(a.name, b.name) || (a.number ?? 0) - (b.number ?? 0));
  return [...groupBy(sorted, ({ name }) => name).values()].flatMap((group) =>
    resolveDuplicateNames(group.map((object) => describeObject(kind, object, describing))),
  );
}

/** Among several objects of one name, a manifest can mean only the one that the ledger knows. */
function resolveDuplicateNames(group: readonly DescribedObject[]): LiveManifest[] {
  if (group.length === 1) return group.map(({ isKnown: _, ...described }) => described);
  const chosen = group.find(({ isKnown }) => isKnown);
  return group.map(({ isKnown, ...described }, index) => {
    if (isKnown) return described;
    const { number, findings } = described;
    const which = number === undefined ? '' : ` (this is #${number})`;
    const wayOut = chosen === undefined ? 'adopt or rename one of them' : 'rename one of them';
    const found = chosen !== undefined || index === 0 ? [duplicateNameFinding(group, described, chosen)] : [];
    return {
      ...described,
      unwritable: `another object has the same name${which}; ${wayOut}`,
      findings: [...findings, ...found],
    };
  });
}

function duplicateNameFinding(
  group: readonly LiveManifest[],
  { address, live }: LiveManifest,
  chosen: LiveManifest | undefined,
): Diagnostic {
  const listed = group.map((one) => numberAndMaker(one.live)).filter((text) => text !== '');
  const each = listed.length === 0 ? '' : `: ${listed.join('; ')}`;
  const message = `${group.length} objects are named ${address}${each}.`;
  const hint =
    chosen === undefined
      ? `${live.number === undefined ? 'Rename' : `Choose one with \`dexsync adopt ${shellWord(address)} --number N\`, or rename`} all but one in the workspace; then run this command again.`
      : `The manifest describes ${numberAndMaker(chosen.live) || 'the one that this stack owns'}. To describe ${numberAndMaker(live) || 'the other one'} too, rename it in the workspace.`;
  return { severity: 'warning', code: 'name-ambiguous', message, hint };
}

interface DescribedObject extends LiveManifest {
  /** Whether the ledger knows it by its address. */
  readonly isKnown: boolean;
}

function describeObject(kind: Kind, live: Observed, { catalog, countNamed, identityOf }: LiveLookups): DescribedObject {
  const { name, number, spec } = live;
  const address = addressOf(kind.name, name);
  const loose = looseReferences(kind.schema, spec, countNamed);
  const valid = validPart(name, withoutDeadReferences(spec), kind, catalog);
  const fields = groupByField(spec, loose);
  const heldBack = [...fields].map(([field, references]) => ({
    path: dottedPath(field),
    value: valueAt(valid.spec, field) ?? null,
    finding: looseFinding(address, spec, field, references),
  }));
  const rest = [...fields.keys()].reduce(withoutField, valid.spec);
  const lean = validPart(name, leanSpec(kind.schema, rest), kind, catalog);
  const reasons = [...new Set([...valid.reasons, ...lean.reasons])];
  const refused = [...valid.refused, ...lean.refused];
  return {
    address,
    kind: kind.name,
    name,
    ...omitUndefined({ number }),
    whole: valid.spec,
    lean: lean.spec,
    heldBack,
    doubtful: valid.doubtful,
    leftOut: [
      ...deadPlaces(spec, loose).map((place) => `${place}, which refers to a deleted object`),
      ...valid.refused.map(({ field, message }) => `${dottedPath(field)}: it ${withoutSubject(message, address)}`),
    ],
    ...(reasons[0] === undefined ? {} : { unwritable: withoutSubject(reasons[0], address) }),
    findings: [
      ...heldBack.map(({ finding }) => finding),
      ...refused.map(({ field, message }) => refusedFinding(address, dottedPath(field), message)),
      ...reasons.map((reason) => unwritableFinding(address, reason)),
    ],
    live,
    isKnown: identityOf(address) === live.identity,
  };
}

/** Groups references by the field that must stay unnamed because of them: a list is compared as a whole. */
const groupByField = (spec: JsonObject, loose: readonly LooseReference[]): Map<Pointer, LooseReference[]> =>
  groupBy(loose, ({ pointer }) => fieldAround(spec, pointer));

const deadPlaces = (spec: JsonObject, loose: readonly LooseReference[]): string[] => [
  ...new Set(loose.filter(({ name }) => isDeadReference(name)).map((reference) => placeAround(spec, reference))),
];

const withoutSubject = (message: string, address: Address): string =>
  (message.startsWith(`${address} `) ? message.slice(address.length + 1) : message).replace(/\.$/, '');

function looseFinding(
  address: Address,
  spec: JsonObject,
  field: Pointer,
  references: readonly LooseReference[],
): Diagnostic {
  const path = dottedPath(field);
  const gone = references.filter(({ is }) => is === 'gone');
  if (gone.length > 0) {
    const places = [...new Set(gone.map((reference) => placeAround(spec, reference)))].join(', ');
    return {
      severity: 'warning',
      code: 'reference-dead',
      message: `${address} refers to objects that are gone, in ${places}. Its ${path} is not named, so that it stays as it is.`,
      hint: `To remove those references from the workspace, name ${path} without them, and apply.`,
    };
  }
  const names = [...new Set(references.map(({ kind, name }) => `${kind}/${name}`))].join(', ');
  return {
    severity: 'warning',
    code: 'reference-ambiguous',
    message: `${address} refers in ${path} to ${names}, a name of several objects. Its ${path} is not named, so that it stays as it is.`,
    hint: 'Rename all but one of them in the workspace, or adopt the one that is meant; then run the command again.',
  };
}

const refusedFinding = (address: Address, path: string, message: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-written',
  message: `${address}: Left out: ${path}: it ${withoutSubject(message, address)}.`,
});

const unwritableFinding = (address: Address, reason: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-written',
  message: `${address}: Not a manifest: ${withoutSubject(reason, address)}.`,
  hint: 'Correct or rename it in the workspace.',
});
