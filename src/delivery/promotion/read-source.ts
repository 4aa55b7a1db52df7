import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { deadPlaces, liveFindings } from '#core/engine/live-findings.js';
import { kindsReferredTo } from '#core/engine/references.js';
import { kindsNamed } from '#core/engine/selection.js';
import { OPTION_DROPPED } from '#core/kinds/import-definition.js';
import { type Address, addressOf, namesAmong, splitAddress } from '#core/model/address.js';
import { isCheckedKind } from '#core/model/checked-kinds.js';
import { type Manifest, manifestAt } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { Observation, Observed } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import { dottedPath } from '#core/model/pointer.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { type LiveSide, readSide } from '#project/live/live-side.js';
import { validPart, withoutField } from '#project/live/unwritable.js';
import { isChosen, type PromotionCriteria, type Reached, reachedFrom, type SourceObject } from './promoted-objects.js';
import { hiddenFindings, leftOutFinding, sourceFindings, stayFindings } from './source-findings.js';

/** The part of an environment to promote. Contains names alone, and outlives the connection. */
export interface Source {
  readonly as: NonNullable<Plan['promoted']>['as'];
  readonly environment: string;
  readonly workspace: Pick<Connection['workspace'], 'name'> & Partial<Connection['workspace']>;
  /** The release that it comes from, if it is not the environment itself. */
  readonly release?: string;
  /** All objects of that release. */
  readonly lineages?: ReadonlySet<string>;
  /** Requests used to read it. */
  readonly requests: number;
  readonly objects: readonly SourceObject[];
  /** The objects among them that others refer to and nobody chose. */
  readonly closure: readonly Reached[];
  /** Findings about objects that cannot be promoted, or of which a part stays behind. */
  readonly findings: readonly Diagnostic[];
  readonly lookups?: Pick<Observation, 'lookupFacts'>;
  /** Fields of a kind that are unknown; absent if specs contain only what was applied. */
  readonly hidden?: LiveSide['hidden'];
  /** Options that the service ignores, by paths such as `options.removeValue`: the plan leaves them as they are. */
  readonly leftOut?: ReadonlyMap<Address, readonly string[]> | undefined;
  /** All objects that were seen, promoted or not. */
  readonly known: readonly Manifest[];
}

/** The input of `readSource`. */
export interface SourceRequest {
  readonly as: Source['as'];
  /** Without the facts in the ledger of the environment. */
  readonly choosing: Omit<PromotionCriteria, 'facts'>;
  /** Jobs of the manifests to promote too: the objects that they refer to come along. */
  readonly jobs: readonly Manifest[];
}

/** Reads the objects to promote, from the ledger alone or from the workspace. Sends no write. */
export async function readSource(
  { as, choosing: given, jobs }: SourceRequest,
  connection: Connection,
  host: Host,
): Promise<Source> {
  const { environment, workspace, ledger, catalog } = connection;
  const { objects: facts } = await ledger.state();
  const choosing: PromotionCriteria = { ...given, facts };
  const found =
    as === 'applied'
      ? sourceOfFacts(choosing, jobs, catalog, environment)
      : await fromWorkspace(choosing, jobs, connection, host);
  return { as, environment, workspace, requests: connection.client.usage.used, ...found };
}

type Found = Pick<Source, 'objects' | 'closure' | 'findings' | 'lookups' | 'hidden' | 'leftOut' | 'known'>;

/** Takes the objects to promote from facts alone, as they were last applied. */
export function sourceOfFacts(
  choosing: PromotionCriteria,
  jobs: readonly Manifest[],
  catalog: Catalog,
  environment: string,
): Found {
  const own = [...choosing.facts].filter(
    ([address, { stack }]) => stack === choosing.stack && catalog.kindNamed(splitAddress(address).kind) !== undefined,
  );
  const objects = new Map(own.map(([address, { applied: spec }]) => [address, { address, spec }]));
  const closure = reachedFrom(objects, jobs, choosing, catalog.schemaOf);
  const meant = meantOf(objects, closure, choosing);
  const applied = meant.map(({ address, spec }): Observed => ({ ...splitAddress(address), spec, identity: address }));
  const dead = applied.flatMap((object, index) => {
    const kind = catalog.knownKind(splitAddress((meant[index] as SourceObject).address).kind);
    return deadPlaces(kind, object.spec).length === 0 ? [] : liveFindings(kind, [object], environment, 'error');
  });
  const findings = [...dead, ...stayFindings(objects.keys(), choosing, environment)];
  return { objects: meant, closure, findings, known: manifestsOf(objects.keys(), choosing) };
}

/** What patterns go by: the manifests of objects that have one, the addresses of the others. */
const manifestsOf = (addresses: Iterable<Address>, { described, origin }: PromotionCriteria): Manifest[] =>
  [...addresses].map((address) => described.get(address) ?? manifestAt(origin, address, {}));

const meantOf = (
  objects: ReadonlyMap<Address, SourceObject>,
  closure: readonly Reached[],
  choosing: PromotionCriteria,
): SourceObject[] => {
  const reached = new Set(closure.map(({ address }) => address));
  return [...objects.values()].filter(({ address }) => reached.has(address) || isChosen(address, choosing));
};

/** Reads again while new references turn up: children are read of promoted objects alone. */
async function fromWorkspace(
  choosing: PromotionCriteria,
  jobs: readonly Manifest[],
  connection: Connection,
  host: Host,
): Promise<Found> {
  const { catalog } = connection;
  const kinds = kindsToRead(choosing, jobs, catalog);
  const reached = new Set<Address>();
  const settingsOf = namesAmong([...choosing.facts.keys(), ...choosing.described.keys()]);
  for (;;) {
    const matters = (kind: string, name: string): boolean => {
      const address = addressOf(kind, name);
      return reached.has(address) || isChosen(address, choosing);
    };
    const side = onlyKnown(await readSide({ kinds, matters, settingsOf }, connection, host), choosing.facts);
    const objects = sourceObjects(side, kinds);
    const closure = reachedFrom(objects, jobs, choosing, catalog.schemaOf);
    const before = reached.size;
    for (const { address } of closure) reached.add(address);
    if (reached.size > before) continue;
    const meant = meantOf(objects, closure, choosing);
    const { objects: promoted, findings: refused, leftOut } = promotable(meant, catalog);
    const known = [...objects.keys()];
    const findings = [
      ...sourceFindings(meant, side, kinds, choosing),
      ...hiddenFindings(meant, side, catalog),
      ...stayFindings(known, choosing, side.environment),
      ...refused,
    ];
    return {
      objects: promoted,
      closure,
      lookups: side,
      hidden: side.hidden,
      leftOut,
      findings,
      known: manifestsOf(known, choosing),
    };
  }
}

/** Keeps, among objects with the same name, the one that the ledger knows by it, if there is one. */
const onlyKnown = (side: LiveSide, facts: PromotionCriteria['facts']): LiveSide => ({
  ...side,
  objects: new Map(
    [...side.objects].map(([kind, objects]) => {
      const known = new Set(objects.flatMap(({ name }) => facts.get(addressOf(kind, name))?.identity ?? []));
      const chosen = new Set(objects.filter(({ identity }) => known.has(identity)).map(({ name }) => name));
      return [kind, objects.filter(({ name, identity }) => !chosen.has(name) || known.has(identity))];
    }),
  ),
});

/** Returns one object of each name; others with the same name are a finding. */
const sourceObjects = ({ objects }: LiveSide, kinds: readonly Kind[]): Map<Address, SourceObject> =>
  new Map(
    kinds.flatMap(({ name: kind }) =>
      (objects.get(kind) ?? []).flatMap(({ name, spec, odd }): [Address, SourceObject][] => {
        const address = addressOf(kind, name);
        return odd === undefined ? [[address, { address, spec }]] : [];
      }),
    ),
  );

/** Drops options without effect. Other fields that no manifest can contain stay: they are errors of the object. */
function promotable(meant: readonly SourceObject[], catalog: Catalog): Pick<Found, 'objects' | 'findings' | 'leftOut'> {
  const parts = meant.flatMap(({ address, spec }) => {
    const { kind: type, name } = splitAddress(address);
    const kind = catalog.knownKind(type);
    if (kind.grow !== undefined) return [];
    const without = validPart(name, spec, kind, catalog).refused.filter(({ code }) => code === OPTION_DROPPED);
    return [{ address, without, spec: without.reduce((rest, { field }) => withoutField(rest, field), spec) }];
  });
  return {
    objects: parts.map(({ address, spec }) => ({ address, spec })),
    findings: parts.flatMap(({ without }) => without.map(leftOutFinding)),
    leftOut: new Map(parts.map(({ address, without }) => [address, without.map(({ field }) => dottedPath(field))])),
  };
}

/** Returns the kinds of the chosen objects, and those that they can refer to. */
function kindsToRead(
  { patterns, facts, stack, described }: PromotionCriteria,
  jobs: readonly Manifest[],
  catalog: Catalog,
): Kind[] {
  const owned = [...facts].filter(([, fact]) => fact.stack === stack).map(([address]) => splitAddress(address).kind);
  const named = patterns.only.flatMap((pattern) =>
    pattern.by === 'address' ? kindsNamed(pattern) : [...described.values()].map(({ kind }) => kind),
  );
  const checked = [...described.values()].map(({ kind }) => kind).filter(isCheckedKind);
  const chosen = patterns.only.length === 0 ? [...owned, ...checked] : named;
  const meant = new Set([...chosen, ...jobs.map(({ kind }) => kind)]);
  // The set grows while it is walked.
  for (const name of meant) {
    const type = catalog.manifestTypeNamed(name);
    for (const referred of type === undefined ? [] : kindsReferredTo(type.schema)) meant.add(referred);
  }
  return catalog.allKinds.filter(({ name }) => meant.has(name));
}
