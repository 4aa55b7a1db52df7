import { join, relative } from 'node:path';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { makeFolder } from '#base/files/make-folder.js';
import { importJob } from '#core/jobs/import.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type Address, addressOf } from '#core/model/address.js';
import { manifestAt } from '#core/model/document.js';
import type { JsonObject } from '#core/model/json.js';
import { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { isRelated } from '../../bulk/read-back/related-records.js';
import { UNDO_KINDS, type UndoKind } from '../../bulk/undo/undo-context.js';
import type { Job } from '../job.js';
import type { JobInput } from '../job-facts.js';
import { prepareJob } from '../prepare-job.js';
import { KEPT_CHANGES } from '../preview/changes-file.js';
import { compareWithRecords } from '../preview/preview-rows.js';
import { undoName } from './undo-definition.js';

/** Rows to send to undo an import, and the definition that they go through. */
export interface UndoPart {
  readonly kind: UndoKind;
  readonly path: string;
  readonly definition: { readonly name: string; readonly spec: ImportDefinitionSpec; readonly content: JsonObject };
  /** `changed`: this undo resumes sending them. `always`: an import that was repeated after an undo is undone again. */
  readonly when: 'always' | 'changed';
}

/** What preparing the parts of an undo needs besides them. */
export interface UndoContext
  extends Pick<JobInput, 'observation' | 'workspace' | 'state' | 'project' | 'host' | 'undoes'> {
  /** The name of the import that is undone. */
  readonly name: string;
  /** A folder of this command alone. */
  readonly spool: string;
  /** The records that were read from the workspace; absent if an undo is resumed. */
  readonly compared?: {
    readonly present: KeyedRows;
    readonly by: string;
    readonly requests: number;
  };
}

/** The address of a part of an undo; without a kind, of what is not undone. */
export const undoAddress = (name: string, kind?: UndoKind): Address =>
  addressOf(importJob.name, kind === undefined ? `${name} (undo)` : undoName(name, kind));

/** Prepares the parts of an undo as imports. Deletions come first: they free numbers and designators. */
export async function undoJobs(parts: readonly UndoPart[], preparing: UndoContext): Promise<Job[]> {
  const inOrder = UNDO_KINDS.flatMap((kind) => parts.filter((part) => part.kind === kind));
  const jobs: Job[] = [];
  for (const part of inOrder) {
    const needs = jobs.map(({ facts }) => facts.address);
    jobs.push(await undoJob(part, needs, preparing));
  }
  return jobs;
}

async function emptyRows(folder: string): Promise<KeyedRows> {
  const rows = await KeyedRows.open(folder, 'none');
  rows.seal();
  return rows;
}

async function undoJob(part: UndoPart, needs: readonly Address[], preparing: UndoContext): Promise<Job> {
  const { kind, path, definition, when } = part;
  const { name, spool, compared, host, ...input } = preparing;
  const manifest = manifestAt(COMMAND_LINE, undoAddress(name, kind), {
    definition: definition.name,
    source: { file: relative(host.cwd, path), delimiter: ',', encoding: 'utf-8' },
    // A BOM is replaced whole or not at all; other rows are independent.
    commit: kind === 'replace' ? 'clean' : 'always',
    when,
    beforeImage: true,
  });
  const folder = join(spool, kind);
  await makeFolder(folder, 0o700);
  const job = await prepareJob({ ...input, manifest, host, path, folder, definition });
  const facts = { ...job.facts, needs };
  if (compared === undefined) return { ...job, facts };
  const { by, requests } = compared;
  const comparing = { folder, keep: KEPT_CHANGES, signal: host.signal };
  // Nothing is there of the related records of an item that comes back.
  const records = isRelated(kind) ? await emptyRows(folder) : compared.present;
  records.forgetMarks();
  const { preview } = await compareWithRecords(job, { records, by }, comparing).finally(() => {
    if (isRelated(kind)) records.close();
  });
  // Requests for reading are counted once.
  const counted = { ...preview, requests: needs.length === 0 ? requests : 0 };
  return { ...job, facts: { ...facts, preview: counted } };
}
