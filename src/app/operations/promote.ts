import { type Diagnostic, environmentOrigin } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import type { Promoting } from '#core/engine/promotion.js';
import type { Patterns } from '#core/engine/selection.js';
import type { Manifest } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { Plan } from '#core/model/plan.js';
import type { Release } from '#core/model/release.js';
import { parsePatterns } from '#delivery/planning/parse-pattern.js';
import { type Planned, type PreparedPlan, showPlan, withPlan } from '#delivery/planning/plan-manifests.js';
import type { PlanningOptions } from '#delivery/planning/planning-options.js';
import type { Seen } from '#delivery/planning/read-workspace.js';
import { attributeFindings } from '#delivery/promotion/attribute-findings.js';
import { checkSource } from '#delivery/promotion/check-source.js';
import { describedAlone, jobsNamed } from '#delivery/promotion/promoted-objects.js';
import { promote as promoted } from '#delivery/promotion/promotion-selection.js';
import { readSource, type Source } from '#delivery/promotion/read-source.js';
import { releaseSource } from '#delivery/promotion/release-source.js';
import type { ReleasedData } from '#delivery/promotion/released-imports.js';
import { unseenFindings } from '#delivery/promotion/source-findings.js';
import { gateFindings } from '#delivery/release/check-chain.js';
import { readAlike } from '#project/config/environment-settings.js';
import type { Config } from '#project/config/load-config.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import { checkPair, type EnvironmentPair, refuseSameWorkspace } from '#project/connection/environment-pair.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parsePlace, placeText } from '#project/parse-address.js';
import { emitDiagnostics, openProject, type Project } from '#project/project.js';
import { readDocuments } from '#project/read-documents.js';
import { hiddenFieldsOf } from '#service/collection.js';
import { type ReleaseChoice, releaseToPromote } from './release-to-promote.js';
import { type PlanSaved, type SavePlanOptions, savePlan } from './save-plan.js';

/** The objects to promote, and the two environments; only a promotion of a release can prune. */
export interface PromoteOptions
  extends Omit<ProjectOptions, 'environment' | 'files'>,
    Omit<PlanningOptions, 'prune'>,
    ReleaseChoice {
  /** `applied`: as the objects were last applied in `from`, by its ledger alone; by default as they are there now. */
  readonly as?: 'live' | 'applied';
  /** Whether to delete what an earlier release of the same source brought and this one does not have. */
  readonly prune?: boolean;
  /** Whether to run the imports of the release, with the very rows that it has. */
  readonly withData?: boolean;
  /** How to decide what both a release and the target changed. */
  readonly take?: readonly Take[];
}

/** A decision about an object, or about one of its fields. */
export interface Take {
  readonly side: 'release' | 'target';
  /** `Kind/name`, or `Kind/name#field`. */
  readonly object: string;
}

/** A promotion, and where to save its plan. */
export interface PromoteIntoOptions extends PromoteOptions, Pick<SavePlanOptions, 'out'> {}

/** Plans to bring the objects of one environment to another. Emits and returns the plan; sends no write to either. */
export const promote = (options: PromoteOptions, host: Host): Promise<Plan> =>
  promoteWith(options, host, ({ plan }) => plan);

/** Plans a promotion, and passes everything that was planned to `use`. */
export async function promoteWith<T>(options: PromoteOptions, host: Host, use: (planned: Planned) => T): Promise<T> {
  if ((options.override ?? []).length > 0 && options.reason === undefined) throw noReason();
  const { config, requestFor } = await preparePromotion(options, 'promote', host);
  return withConnection(config, { ...options, environment: options.to, access: 'read' }, host, (connection) =>
    withPlan(requestFor(connection), async (planned) => {
      showPlan(planned.plan, connection, host, planned.pages);
      return use(planned);
    }),
  );
}

/** Reads the objects to promote. `command`: the name of the command that plans them. */
export async function preparePromotion(options: PromoteOptions, command: string, host: Host): Promise<PreparedPlan> {
  const { from: _, as: __, release: ___, override: ____, withData: _____, take = [], to, prune, ...chosen } = options;
  const planning: ProjectOptions & PlanningOptions = { ...chosen, ...(prune === true ? { prune: 'yes' } : {}) };
  const { config, linked, layers } = await openProject({ ...planning, environment: to }, host);
  const recorded = gatherFacts(command, planning, config, host);
  const { catalog, stack, folder } = config;
  const patterns = parsePatterns(planning, catalog);
  const project = linked.manifests;
  const chosenRelease = await releaseToPromote(options, config, host);
  const release = chosenRelease?.release;
  const data = await dataOf(options, release, { patterns, project }, config, host);
  const jobs = data?.jobs ?? jobsNamed(project, patterns, catalog);
  const source = await sourceOf(options, { config, project, patterns, jobs, release }, host);
  const environments = { from: source.environment, to };
  checkSource(source, { patterns, project, jobs, stack });
  emitDiagnostics(host, folder, source.findings, 'PROMOTION_INVALID');
  const taken = take.map((one) => parseTake(one, source, catalog));
  const { selection, diagnostics, unknownIn } = promoted(source, layers, { patterns, project, jobs, catalog, taken });
  emitDiagnostics(host, folder, diagnostics, 'PROMOTION_INVALID');
  const untold = source.hidden && ((name: string) => source.hidden?.(catalog.knownKind(name)) ?? []);
  const promoting = promotingOf(source, taken, catalog);
  const overridden = gateFindings(chosenRelease ?? { closed: [] });
  const base = {
    ...{ config, selection, host, recorded, unknownIn, untold, promoting, release },
    ...omitUndefined({ files: data?.files }),
    options: overridden.length === 0 ? planning : { ...planning, hold: () => overridden },
  };
  return {
    config,
    recorded,
    requestFor(connection) {
      const { identity } = source.workspace;
      if (identity !== undefined) refuseSameWorkspace(environments, identity, connection);
      const target = { connection, catalog, environments, lookups: source.lookups };
      return { ...base, connection, findings: (seen) => targetFindings(selection.linked, seen, target) };
    },
  };
}

/** The imports of a release and their files, if they are asked for. Emits what cannot come along. */
async function dataOf(
  { withData = false }: PromoteOptions,
  release: Release | undefined,
  asked: { readonly patterns: Patterns; readonly project: readonly Manifest[] },
  config: Config,
  host: Host,
): Promise<ReleasedData | undefined> {
  if (!withData) return undefined;
  if (release === undefined) throw noData();
  const { releasedData } = await import('#delivery/promotion/released-imports.js');
  const data = await releasedData(release, asked, config, host);
  emitDiagnostics(host, config.folder, data.diagnostics, 'PROMOTION_INVALID');
  return data;
}

interface SourceContext {
  readonly config: Config;
  readonly project: readonly Manifest[];
  readonly patterns: Patterns;
  readonly jobs: readonly Manifest[];
  readonly release: Release | undefined;
}

/** Reads an environment, which closes it before the target is opened, or takes the release. */
async function sourceOf(
  { from, to, as = 'live', release: _, ...options }: PromoteOptions,
  { config, project, patterns, jobs, release }: SourceContext,
  host: Host,
): Promise<Source> {
  const { catalog, stack } = config;
  if (release === undefined && options.prune === true) throw noPrune();
  const environment = release?.source ?? from;
  if (environment === undefined) throw noSource();
  const isKnown = release === undefined || Object.hasOwn(config.environments, environment);
  if (isKnown) checkPair({ from: environment, to }, config, host);
  // Objects that only the source describes stay there.
  const isOther = isKnown && !readAlike(config, environment, to);
  const there = isOther ? await readDocuments(config, { ...options, environment }, host) : { documents: [] };
  const origin = environmentOrigin(environment);
  const choosing = { patterns, stack, to, origin, ...describedAlone(project, there.documents) };
  if (release !== undefined) return releaseSource(release, { choosing, jobs }, catalog);
  // Read one after the other: both may belong to one user of one service, where a second login ends the first session.
  return withConnection(config, { environment, access: 'read' }, host, (connection) =>
    readSource({ as, choosing, jobs }, connection, host),
  );
}

type Taken = NonNullable<NonNullable<Plan['promoted']>['taken']>[number];

function parseTake({ side, object }: Take, { objects }: Source, catalog: Catalog): Taken {
  const place = parsePlace(object, catalog);
  const { address } = place;
  if (objects.some((one) => one.address === address)) return { side, ...place };
  throw new DexsyncError('USAGE', `\`--take\` names ${address}, which is not among the promoted objects.`, {
    hint:
      nearestHint(
        address,
        objects.map((one) => one.address),
      ) ?? 'A plan with a conflict shows the option to copy.',
  });
}

function promotingOf(
  { release, environment, objects, lineages: all = new Set() }: Source,
  taken: readonly Taken[],
  { schemaOf }: Catalog,
): Promoting | undefined {
  if (release === undefined) return undefined;
  const lineages = new Map(objects.map(({ address, lineage }) => [address, lineage]));
  const sides = new Map(taken.map(({ side, ...place }) => [placeText(place), side]));
  return {
    ...{ release, source: environment, schemaOf },
    lineageOf: (address) => lineages.get(address),
    lineages: all,
    choose: (address, path) => sides.get(placeText({ address, ...omitUndefined({ field: path }) })),
  };
}

const noPrune = (): DexsyncError =>
  new DexsyncError('USAGE', '`--prune` needs a release: only that says what it no longer has.', {
    hint: 'Promote a release with `--release`.',
  });

const noData = (): DexsyncError =>
  new DexsyncError('USAGE', '`--with-data` needs a release: only that says which rows it has.', {
    hint: 'Promote a release with `--release`.',
  });

export const noReason = (): DexsyncError =>
  new DexsyncError('USAGE', '`--override` needs `--reason`: the plan says who overrode a gate, and why.');

const noSource = (): DexsyncError =>
  new DexsyncError('USAGE', '`dexsync promote` needs two environments.', {
    hint: 'Write `dexsync promote dev prod`, or `dexsync promote --release r41 --to prod`. With a chain (`promotion`), the one to promote to is enough.',
  });

interface PromotionTarget {
  readonly connection: Connection;
  readonly catalog: Catalog;
  readonly environments: EnvironmentPair;
  /** The lookups of the source, if they were read. */
  readonly lookups: Source['lookups'];
}

/** Finds what the target hides or lacks, once it was read. */
const targetFindings = (
  { manifests }: Project['linked'],
  { observation: to }: Seen,
  { connection, catalog, environments, lookups: from }: PromotionTarget,
): Diagnostic[] => [
  ...unseenFindings(manifests, hidingSide(environments.to, connection, to), catalog),
  ...attributeFindings(manifests, catalog.schemaOf, { ...omitUndefined({ from }), to, environments }),
];

const hidingSide = (environment: string, { client }: Connection, observation: Seen['observation']) => ({
  environment,
  hidden: (kind: Kind) => hiddenFieldsOf(client, kind, observation),
});

/** Plans a promotion, and saves the plan so that exactly it can be applied later. */
export const promoteInto = (options: PromoteIntoOptions, host: Host): Promise<PlanSaved> =>
  savePlan({ ...options, environment: options.to }, host, () => promote(options, host));
