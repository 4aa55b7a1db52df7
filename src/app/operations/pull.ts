import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { type Bound, bind } from '#core/engine/bind.js';
import { listCandidates } from '#core/engine/live-under.js';
import { isNeverAdopted } from '#core/engine/ownership.js';
import { matchesPattern } from '#core/engine/wildcard.js';
import { type Address, addressOf, namesAmong } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { LiveIdentity, ObjectFact } from '#core/model/object-fact.js';
import { adoptStep } from '#delivery/planning/command-steps.js';
import { EditedFiles } from '#delivery/pull/edited-files.js';
import type { Layout } from '#delivery/pull/layout.js';
import { type PullInput, type PullPlan, planPull } from '#delivery/pull/pull-plan.js';
import { pulledFiles } from '#delivery/pull/pulled-files.js';
import type { LedgerState } from '#ledger/fold.js';
import { chosenLayer } from '#project/config/environment-settings.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type LiveManifests, liveManifests } from '#project/live/live-manifests.js';
import { notListed } from '#project/live/live-objects.js';
import { loadLayers } from '#project/load-layers.js';
import { readOtherManifests } from '#project/other-manifests.js';
import { parseKind } from '#project/parse-type.js';
import { openProject, type Project } from '#project/project.js';
import { capabilityOf, hiddenFieldsOf } from '#service/collection.js';
import { assertTargetFolder, type PullTarget, pullTarget, readContents, writePulled } from './pull-files.js';
import { type Pulled, pulledObjects } from './pulled-objects.js';
import { type LedgerUpdate, ledgerUpdates, recordPulled } from './record-pulled.js';
import { recordStepsOrThrow, type StepFacts } from './record-steps.js';

/** The objects to pull, and what to do with them. */
export interface PullOptions extends ProjectOptions {
  /** Kinds as people type them; none: all that the service lists. */
  readonly kinds: readonly string[];
  /** Patterns of names; none: all. */
  readonly names: readonly string[];
  /** The folder of new files; by default the first folder of manifests of the configuration. */
  readonly out?: string;
  readonly layout: Layout;
  /** Whether objects with a manifest then belong to this stack. */
  readonly adopt: boolean;
  /** Whether manifests also get unnamed fields that have changed since they were recorded. */
  readonly drifted?: boolean;
  /**
   * Whether manifests get nothing but what others changed since it was applied. The ledger goes on reporting it as drift:
   * it may be rejected.
   */
  readonly onlyDrift?: boolean;
  readonly write: 'files' | 'nothing';
}

/**
 * Writes live objects as manifests: edits the documents that describe them in place, and adds new ones. Sends no write.
 * The ledger records the pulled state of this stack's objects, and with `adopt` that it owns them. Throws
 * MANIFESTS_INVALID before the workspace is read, and FILE_UNWRITABLE with no file changed.
 */
export async function pull(options: PullOptions, host: Host): Promise<Pulled> {
  const { kinds: _, names: __, layout: ___, adopt, drifted: ____, onlyDrift, write, out: _____, ...project } = options;
  if (adopt && onlyDrift === true) throw driftIsOwned();
  if (adopt && write === 'nothing') throw nothingToAdopt();
  const target = await pullTarget(options, host);
  if (adopt && target.reading.files !== undefined) throw notReadByPlans(options);
  const opened = await openProject({ ...project, ...target.reading }, host, ['manifests-missing', 'manifests-none']);
  const { config } = opened;
  const layer = chosenLayer(config, options.environment, host.variables);
  const { overlay } = await loadLayers(config, layer, project, host);
  const overlays = overlay.map(({ file }) => file);
  const files = new EditedFiles(await readContents(config.folder, [...target.files, ...filesOf(opened), ...overlays]));
  const elsewhere = target.isShared ? await readOtherManifests(config, layer.name, project, host) : new Map();
  const { access, recorded } = recordingOf(options, project, opened, host);
  const [result, later] = await withConnection(config, { ...project, access }, host, async (connection) => {
    const facts = byIdentity(await connection.ledger.state());
    return pullFrom(options, target, { opened, files, elsewhere, facts, recorded, connection, host });
  });
  await recordPulled(later, { config, environment: options.environment, recorded }, host);
  return result;
}

/** Returns the result, and what the ledger has to record once the connection is closed. */
async function pullFrom(
  options: PullOptions,
  target: PullTarget,
  context: PlanningContext,
): Promise<[Pulled, readonly LedgerUpdate[]]> {
  const { opened, files, recorded, connection, host } = context;
  const { config } = opened;
  const [isAdopting, isWriting] = [options.adopt, options.write === 'files'];
  const { plan, unlisted, identities } = await planObjects(options, context);
  assertTargetFolder(target, plan.added.length);
  const pulled = pulledFiles(plan.added, files, { ...target, layout: options.layout }, config.catalog);
  for (const diagnostic of [...plan.findings, ...target.findings]) host.emit({ type: 'diagnostic', diagnostic });
  if (isWriting) await writePulled(config.folder, pulled, host);
  const drift = { takesDrift: options.drifted === true };
  const learned = isWriting && options.onlyDrift !== true ? ledgerUpdates(plan.taken, drift, config, connection) : [];
  const adopted = isAdopting ? await adoptAll(plan, learned, { recorded, identities }, context) : [];
  const result: Pulled = {
    ...pulledObjects(plan, connection),
    unlisted,
    files: pulled,
    written: isWriting,
    adopted,
    requests: connection.client.usage.used,
  };
  return [result, isAdopting ? [] : learned];
}

const nothingToAdopt = (): DexsyncError =>
  new DexsyncError('USAGE', '`--diff` writes nothing, so there is nothing to adopt.', {
    hint: 'Leave out `--diff` or `--adopt`.',
  });

const driftIsOwned = (): DexsyncError =>
  new DexsyncError('USAGE', '`--only-drift` writes objects of this stack only, so there is nothing to adopt.', {
    hint: 'Leave out `--only-drift` or `--adopt`.',
  });

/** Objects that no plan reads would look as if their manifests had been removed. */
const notReadByPlans = ({ out }: PullOptions): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `The configuration does not list "${out}" under \`manifests\`, so its objects cannot be adopted.`,
    {
      hint: 'Add the folder to `manifests` in sync.config.yaml, or leave out `--adopt`.',
    },
  );

const filesOf = ({ linked }: Project): string[] => linked.manifests.map(({ origins }) => origins.start.file);

const recordingOf = ({ adopt }: PullOptions, project: ProjectOptions, { config }: Project, host: Host) => ({
  access: adopt ? ('record' as const) : ('read' as const),
  recorded: gatherFacts(adopt ? 'adopt' : 'pull', project, config, host),
});

const byIdentity = ({ objects }: LedgerState): PullContext['facts'] =>
  new Map([...objects.values()].map((fact) => [fact.identity, fact]));

interface PullContext {
  readonly opened: Project;
  /** The ledger's facts about live objects. */
  readonly facts: ReadonlyMap<LiveIdentity | undefined, ObjectFact>;
  readonly connection: Connection;
  readonly host: Host;
}

/** A pull, and the manifests that it edits or leaves to other environments. */
interface PlanningContext extends PullContext, Pick<PullInput, 'elsewhere'>, Pick<StepFacts, 'recorded'> {
  readonly files: EditedFiles;
}

async function planObjects(
  options: PullOptions,
  context: PlanningContext,
): Promise<{ plan: PullPlan } & Pick<LiveManifests, 'unlisted' | 'identities'>> {
  const kinds = chosenKinds(options, context.opened);
  const live = await readObjects(kinds, options, context);
  const plan = planPull(await inputFor(live, kinds, options, context), context.files);
  const hidden = live.findings.filter(({ code }) => code === 'fields-hidden');
  const { unlisted, identities } = live;
  return { plan: { ...plan, findings: [...plan.findings, ...hidden] }, unlisted, identities };
}

/** Throws if the service does not list a kind that was asked for. */
async function readObjects(
  kinds: readonly Kind[],
  options: PullOptions,
  { opened: { linked }, connection, host }: PullContext,
): Promise<LiveManifests> {
  const isWanted = (_: string, name: string): boolean => isNamed(name, options);
  const alone = (kind: string, name: string): boolean => linked.described.has(addressOf(kind, name));
  const settingsOf = settingsMeant(options, linked.manifests);
  const live = await liveManifests({ kinds, isWanted, alone, settingsOf }, connection, host);
  const [unlisted] = kinds.filter(({ name }) => live.unlisted.includes(name));
  if (unlisted !== undefined && options.kinds.length > 0) throw notListed(unlisted, connection.client.profile.name);
  return live;
}

/** No list has settings: those are read that are named without a wildcard, or all that a manifest describes. */
const settingsMeant =
  ({ names }: PullOptions, manifests: readonly Manifest[]) =>
  (kind: string): readonly string[] =>
    names.length > 0
      ? names.filter((name) => !name.includes('*'))
      : namesAmong(manifests.map(({ address }) => address))(kind);

const isNamed = (name: string, { names }: PullOptions): boolean =>
  names.length === 0 || names.some((pattern) => matchesPattern(pattern, name));

async function inputFor(
  { manifests, observation, unlisted }: LiveManifests,
  kinds: readonly Kind[],
  options: PullOptions,
  { opened: { config, linked }, elsewhere, facts, connection, host }: PlanningContext,
): Promise<PullInput> {
  const { client, environment, ledger } = connection;
  const { catalog, stack } = config;
  const { objects } = await ledger.state();
  const own = linked.manifests.filter(({ kind }) => catalog.kindNamed(kind) !== undefined);
  const { bound, renamed, recorded } = bind(own, observation, catalog.schemaOf, environment, objects, linked.described);
  const listed = new Set(kinds.map(({ name }) => name).filter((name) => !unlisted.includes(name)));
  const { overlay } = chosenLayer(config, environment, host.variables);
  // An object with another name than its manifest must not look as if it had none.
  const isWanted = ({ manifest: { metadata }, live }: Bound): boolean =>
    [metadata, ...listCandidates(live)].some(({ name }) => isNamed(name, options));
  return {
    live: manifests,
    bound: bound.filter((one) => listed.has(one.manifest.kind) && isWanted(one)),
    renamed,
    recorded,
    catalog,
    hiddenOf: (kind) => hiddenFieldsOf(client, kind, observation),
    factOf: (identity) => facts.get(identity),
    stack,
    elsewhere,
    environment,
    takesDrift: options.drifted === true || options.onlyDrift === true,
    onlyDrift: options.onlyDrift === true,
    ...omitUndefined({ overlay }),
  };
}

const chosenKinds = ({ kinds }: PullOptions, { config: { catalog } }: Project): readonly Kind[] =>
  kinds.length === 0 ? catalog.kinds : [...new Set(kinds.map((text) => parseKind(text, catalog, 'never managed')))];

async function adoptAll(
  { added, edited, unchanged }: PullPlan,
  learned: readonly LedgerUpdate[],
  known: Pick<StepFacts, 'recorded' | 'identities'>,
  { opened: { config, linked }, facts, connection, host }: PullContext,
): Promise<readonly Address[]> {
  const manifests = new Map(linked.manifests.map((manifest) => [manifest.address, manifest]));
  const free = [...added, ...edited, ...unchanged].filter(
    ({ kind, name, live, unwritable }) =>
      unwritable === undefined && !facts.has(live.identity) && !isNeverAdopted(config.catalog.knownKind(kind), name),
  );
  const steps = free.map(({ kind, address, live }) =>
    adoptStep(
      config.catalog.knownKind(kind),
      capabilityOf(connection.client, config.catalog.knownKind(kind), { unlisted: new Set() }),
      { ...live, record: live.audit ?? {} },
      manifests.get(address),
      config.stack,
    ),
  );
  const all = [...steps, ...learned.map(({ step }) => step)];
  if (all.length > 0) await recordStepsOrThrow(all, { stack: config.stack, ...known }, connection, host);
  return free.map(({ address }) => address);
}
