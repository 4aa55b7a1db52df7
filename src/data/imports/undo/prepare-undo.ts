import { join, resolve } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { splitAddress } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { isOpen } from '#core/model/job-state.js';
import { type JsonObject, sameJson } from '#core/model/json.js';
import type { Observation } from '#core/model/observation.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { Connection } from '#project/connection/connection.js';
import { type Host, withoutEvents } from '#project/host.js';
import type { Identities } from '#service/identities.js';
import { RELATED_KINDS } from '../../bulk/read-back/related-records.js';
import { UNDO_KINDS, type UndoKind } from '../../bulk/undo/undo-context.js';
import { digestOfFiles, undoFile } from '../../bulk/undo/undo-files.js';
import type { Job } from '../job.js';
import type { JobInput } from '../job-facts.js';
import { calledRun, type FoundImport } from '../known-imports.js';
import { prepareFound } from '../prepare-found.js';
import { rowsWithoutEffect } from '../read-outcome.js';
import { importFolder } from '../report-folder.js';
import { type ComputedUndo, computeUndo, type UndoInput, undoFolder } from './compute-undo.js';
import { chooseDefinition, type Original, undoSpec } from './undo-definition.js';
import { type UndoContext, type UndoPart, undoAddress, undoJobs } from './undo-jobs.js';
import { definitionManifest } from './undo-manifests.js';

/** A committed import to undo, and what was read from the workspace. */
export interface UndoRequest {
  readonly found: FoundImport;
  /** All known imports. */
  readonly known: readonly FoundImport[];
  readonly seen: { readonly observation: Observation; readonly identities: Identities };
  readonly image: string;
  readonly original: Original;
  readonly spool: string;
  readonly project: JobInput['project'];
}

/** What an undo sends, and what it leaves as it is. */
export interface PreparedUndo {
  /** Definitions to create. */
  readonly definitions: readonly Manifest[];
  readonly jobs: readonly Job[];
  readonly notUndone?: {
    readonly address: Job['facts']['address'];
    readonly count: number;
    readonly first: readonly RowChange[];
    /** Lists all of these rows. */
    readonly file: string;
    readonly by: string;
  };
  /** Throws PLAN_STALE if records changed after the undo was computed. */
  refuseChanged(): Promise<void>;
  close(): void;
}

/** Prepares an undo; one that was interrupted after its first rows were posted resumes with those very rows. */
export async function prepareUndo(request: UndoRequest, connection: Connection, host: Host): Promise<PreparedUndo> {
  const { found, known, project, spool } = request;
  const folder = undoFolder(importFolder({ project, workspace: found.workspace }, found.address, found.job.runs));
  const { name } = splitAddress(found.address);
  const state = await connection.ledger.state();
  const { observation } = request.seen;
  const workspace = connection.workspace.name;
  const preparing = { observation, workspace, state, project, host, name, spool };
  const begun = known.filter(({ request: { path } }) => resolve(project.folder, path).startsWith(join(folder, '/')));
  return begun.some(({ job }) => isOpen(job))
    ? resumeUndo(folder, begun, request, preparing)
    : begin(folder, request, preparing, connection);
}

async function begin(
  folder: string,
  request: UndoRequest,
  preparing: UndoContext,
  connection: Connection,
): Promise<PreparedUndo> {
  const { found, seen, image, spool, project } = request;
  const { host } = preparing;
  const own = join(spool, 'undone');
  await makeFolder(own, 0o700);
  const { observation, identities } = seen;
  // Findings about rows that were sent were shown before.
  const quiet = withoutEvents(host, 'findings', 'diagnostic');
  const job = await prepareFound({ found, folder: own, project, observation }, connection, quiet);
  const called = calledRun(found);
  const reading = { reader: connection.client, signal: host.signal };
  const { rows: failed } = await rowsWithoutEffect(found, job.prepared, reading);
  const resumed = resumedFrom(request);
  const input = {
    job,
    failed,
    called,
    image,
    folder,
    resumed,
    spool: own,
    reader: connection.client,
    identities,
    host,
  };
  const computed = await computeUndo(input);
  try {
    const kinds = [...computed.files.rows].map(([kind, { path }]) => ({ kind, path }));
    const { parts, definitions } = partsOf(kinds, { ...request.original, lost: computed.files.lost }, observation);
    const undoes = { key: found.key, left: computed.files.left.count };
    const jobs = await undoJobs(parts, { ...preparing, undoes, compared: computed });
    const refuseChanged = (): Promise<void> => refuseOther(input, computed);
    const close = (): void => computed.present.close();
    return { definitions, jobs, ...leftOf(computed, preparing.name), refuseChanged, close };
  } catch (error) {
    computed.present.close();
    throw error;
  }
}

/** What earlier undos of this commit restored. */
function resumedFrom({ found, known }: UndoRequest): UndoInput['resumed'] {
  const { name } = splitAddress(found.address);
  const undos = known.filter(
    ({ state, undoOf }) => state === 'committed' && undoOf !== undefined && sameJson([...undoOf], [...found.runs]),
  );
  const isDone = (kind: UndoKind): boolean => undos.some(({ address }) => address === undoAddress(name, kind));
  return { items: isDone('create') ? 'there' : 'not yet', related: RELATED_KINDS.filter(isDone) };
}

async function refuseOther(input: UndoInput, { files }: ComputedUndo): Promise<void> {
  const spool = join(input.spool, 'again');
  const again = await computeUndo({ ...input, spool, folder: join(spool, 'files') });
  again.present.close();
  if ((await digestOfFiles(again.files)) === (await digestOfFiles(files))) return;
  throw new DexsyncError('PLAN_STALE', `Records of ${input.called} changed after this plan was created.`, {
    hint: 'Nothing was sent. Run the command again and review the new plan.',
  });
}

function leftOf({ files: { left }, by }: ComputedUndo, name: string): Pick<PreparedUndo, 'notUndone'> {
  const { path: file, count, first } = left;
  return count === 0 ? {} : { notUndone: { address: undoAddress(name), count, first, file, by } };
}

/** Resumes an undo: rows that were already sent are recognised, since the files still contain them. */
async function resumeUndo(
  folder: string,
  begun: readonly FoundImport[],
  { found, original, seen }: UndoRequest,
  preparing: UndoContext,
): Promise<PreparedUndo> {
  const there = await Promise.all(
    UNDO_KINDS.map(async (kind) => {
      const path = undoFile(folder, kind);
      return (await pathExists(path)) ? [{ kind, path }] : [];
    }),
  );
  const { parts, definitions } = partsOf(there.flat(), original, seen.observation);
  const known = parts.map((part): UndoPart => {
    const sent = begun.find(({ request }) => resolve(preparing.project.folder, request.path) === part.path);
    return sent === undefined ? part : { ...part, definition: sentThrough(sent), when: 'changed' };
  });
  const used = new Set(known.map(({ definition }) => definition.name));
  const undoes = begun.find(({ facts }) => facts?.undoes !== undefined)?.facts?.undoes ?? { key: found.key, left: 0 };
  const jobs = await undoJobs(known, { ...preparing, undoes });
  return {
    definitions: definitions.filter(({ metadata }) => used.has(metadata.name)),
    jobs,
    refuseChanged: async () => undefined,
    close: () => undefined,
  };
}

const sentThrough = ({ definition: name, request }: FoundImport): UndoPart['definition'] => ({
  name,
  spec: parseImportDefinition(request.definition.spec),
  content: request.definition.content,
});

function partsOf(
  kinds: readonly { readonly kind: UndoKind; readonly path: string }[],
  original: Original,
  { objects }: Observation,
): { readonly parts: UndoPart[]; readonly definitions: Manifest[] } {
  const live = objects.get(importDefinition.name) ?? [];
  const chosen = kinds.map(({ kind, path }) => {
    const spec = undoSpec(kind, original);
    return { kind, path, spec, ...chooseDefinition(kind, spec, original, live) };
  });
  return {
    parts: chosen.map(({ kind, path, name, spec }) => {
      return { kind, path, definition: { name, spec, content: spec as unknown as JsonObject }, when: 'always' };
    }),
    definitions: chosen.flatMap(({ is, name, spec }) => (is === 'new' ? [definitionManifest(name, spec)] : [])),
  };
}
