import { omitUndefined } from '#base/omit-undefined.js';
import type { JobRun } from '#core/model/job-state.js';
import { findImport } from '#data/imports/find-import.js';
import type { KnownImport } from '#data/imports/known-imports.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import type { Reader } from '#service/client.js';
import { type ImportRun, openImportRunReads } from '#service/import-runs.js';
import { saysAbsent } from '#service/refusal-meaning.js';
import { withoutRequest } from './list-imports.js';

/** A run of an import, and its current state in the service; `gone`: the service no longer has it. */
export interface LiveRun extends Pick<JobRun, 'number' | 'first' | 'last'> {
  readonly live: Omit<ImportRun, 'guid'> | 'gone';
}

/** One import as it is recorded, and its runs as they are in the workspace. */
export interface ShownImport extends KnownImport {
  readonly live: readonly LiveRun[];
}

/** Shows an import. Costs one request for each run. */
export async function showImport(options: ProjectOptions & { readonly run: string }, host: Host): Promise<ShownImport> {
  const config = await openConfig(options, host);
  const found = await findImport(config, options, host);
  return withConnection(config, { ...options, access: 'read' }, host, async ({ client }) => {
    const live: LiveRun[] = [];
    for (const job of found.job.runs) {
      const { number, first, last } = job;
      live.push({ ...omitUndefined({ number }), first, last, live: await readRun(job, client) });
    }
    return { ...withoutRequest(found), live };
  });
}

async function readRun({ run, definition }: JobRun, client: Reader): Promise<LiveRun['live']> {
  if (definition === undefined) return 'gone';
  try {
    const { guid: _, ...live } = await openImportRunReads(client, definition).read(run);
    return live;
  } catch (error) {
    if (saysAbsent(error)) return 'gone';
    throw error;
  }
}
