import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import { acknowledgedFingerprint, acknowledgedText } from '#core/engine/acknowledged-steps.js';
import { ABSENT } from '#core/engine/decision.js';
import { diffSpec } from '#core/engine/diff.js';
import { fingerprint } from '#core/engine/normal-form.js';
import { importJob } from '#core/jobs/import.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import type { Manifest } from '#core/model/document.js';
import { isChecked, type Kind } from '#core/model/kind.js';
import type { Summary } from '#core/stream/event.js';
import { acknowledgeStep } from '#delivery/planning/command-steps.js';
import type { LedgerState } from '#ledger/fold.js';
import { authorText } from '#ledger/stored-plan.js';
import { currentAuthor } from '#project/connection/author.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import { createObserver } from '#project/connection/observer.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { notInManifests } from '#project/not-in-manifests.js';
import { parseManifestAddress } from '#project/parse-address.js';
import { openProject } from '#project/project.js';
import { collectionOf } from '#service/collection.js';
import { observe } from '#service/observe.js';
import { recordSteps } from './record-steps.js';

/** The manual steps that were done. */
export interface AcknowledgeOptions extends ProjectOptions {
  readonly addresses: readonly string[];
  readonly reason: string;
}

/** A manifest of a kind, not of an import. */
interface Managed {
  readonly manifest: Manifest;
  readonly kind: Kind;
}

/**
 * Records that somebody did manual steps that the service cannot show, or accepts how an object of a checked kind
 * differs; each counts as done until its manifest, or that object, changes. Sends no write; reads the lists of the
 * kinds. Throws USAGE for a manifest that needs no acknowledgement.
 */
export async function acknowledge({ addresses, ...options }: AcknowledgeOptions, host: Host): Promise<Summary> {
  const { config, linked } = await openProject(options, host);
  const given = [...new Set(addresses.map((text) => parseManifestAddress(text, config.catalog)))];
  const { stack } = config;
  const recorded = gatherFacts('acknowledge', options, config, host);
  const managed = given.map((address): Managed => {
    const manifest = linked.manifests.find((one) => one.address === address);
    if (manifest === undefined) throw notInManifests(address, linked);
    const kind = config.catalog.kindNamed(manifest.kind);
    if (kind === undefined) throw notManual(manifest);
    return { manifest, kind };
  });
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const seen = await readManaged(managed, connection, host);
    const state = await connection.ledger.state();
    const author = { ...currentAuthor(config, options.environment, host), login: connection.login.email };
    const said = { stack, at: host.clock().toISOString(), by: authorText(author), reason: options.reason };
    const steps = managed.map(({ manifest, kind }) => {
      const acknowledgement = { ...said, fingerprint: acknowledgedFingerprint(manifest, kind, seen(manifest, kind)) };
      refuseKnown(manifest, acknowledgement, state);
      return acknowledgeStep(manifest, acknowledgement);
    });
    return recordSteps(steps, { stack, recorded }, connection, host);
  });
}

/**
 * Returns the fingerprint of the object of a manifest of a checked kind. Refuses other objects that the service lists:
 * the next plan sees them without an acknowledgement.
 */
async function readManaged(
  managed: readonly Managed[],
  connection: Connection,
  host: Host,
): Promise<(manifest: Manifest, kind: Kind) => string> {
  const kinds = [...new Set(managed.map(({ kind }) => kind))];
  const { observation } = await observe(
    { kinds, lookups: [], childrenOf: () => [], alone: 'all' },
    createObserver(connection, host),
  );
  const listed = managed.find(({ kind }) => !isChecked(kind) && !observation.unlisted.has(kind.name));
  if (listed !== undefined) {
    const can = collectionOf(connection.client, listed.kind.collection).can;
    throw can?.create === true ? notManual(listed.manifest) : verifiable(listed.manifest);
  }
  return ({ address, metadata, spec }, { name, schema }) => {
    const object = observation.objects.get(name)?.find((one) => one.name === metadata.name);
    if (object === undefined) return ABSENT;
    if (diffSpec(schema, spec, object.spec).length === 0) throw nothingToDo(address);
    return fingerprint(schema, object.spec);
  };
}

function refuseKnown({ address }: Manifest, { stack, fingerprint }: Acknowledgement, state: LedgerState): void {
  const before = state.acknowledged.get(address);
  const owner = (state.objects.get(address) ?? before)?.stack;
  if (owner !== undefined && owner !== stack) throw ofAnother(address, owner);
  if (before?.fingerprint === fingerprint) throw acknowledgedAlready(address, before);
}

const notManual = ({ address, kind }: Manifest): DexsyncError =>
  new DexsyncError('USAGE', `${address} is not a manual step: dexsync applies ${kind} manifests itself.`, {
    hint:
      kind === importJob.name
        ? '`dexsync import acknowledge RUN` accepts that failed rows of an import stay out of the workspace.'
        : '`dexsync plan` shows what is pending, and `dexsync apply` applies it.',
  });

const verifiable = ({ address, kind }: Manifest): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `${address} needs no acknowledgement: the service lists ${kind} objects, so \`dexsync plan\` sees what was done manually.`,
    { hint: `\`dexsync plan --explain ${shellWord(address)}\` shows which values differ.` },
  );

const nothingToDo = (address: string): DexsyncError =>
  new DexsyncError('USAGE', `${address} needs no acknowledgement: the workspace has what its manifest asks for.`);

const ofAnother = (address: string, owner: string): DexsyncError =>
  new DexsyncError('NOT_OWNED', `${address} belongs to the stack "${owner}".`, {
    hint: `Run \`dexsync forget ${shellWord(address)}\` in the project of "${owner}" first.`,
  });

const acknowledgedAlready = (address: string, before: Acknowledgement): DexsyncError =>
  new DexsyncError('USAGE', `${address} is already ${acknowledgedText(before)}`, {
    hint: `\`dexsync forget ${shellWord(address)}\` withdraws the acknowledgement.`,
  });
