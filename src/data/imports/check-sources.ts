import { withSpool } from '#base/files/spool-folder.js';
import { bind } from '#core/engine/bind.js';
import { decideJobs } from '#core/engine/decide-job.js';
import { type ImportSpec, importJob, toImportSpec } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { EMPTY_OBSERVATION } from '#core/model/observation.js';
import { foldJournals } from '#ledger/fold.js';
import { dataFolder } from '#project/config/environment.js';
import type { Host } from '#project/host.js';
import type { Project } from '#project/project.js';
import { openSource } from '../bulk/source/open-source.js';
import { findSource, unreadable } from './find-source.js';
import { prepareJobs } from './prepare-jobs.js';

/** An import that the content of its source would block. */
export interface BlockedImport {
  readonly address: Address;
  readonly message: string;
}

/**
 * Reads the sources of all imports as a plan does, but without a workspace: the plan checks what only the workspace
 * knows (categories, values of attributes, earlier commits). Emits findings. If no manifest describes the definition of
 * an import, only checks that its file can be read.
 */
export async function checkSources({ config, linked }: Project, host: Host): Promise<readonly BlockedImport[]> {
  const { bound } = bind(linked.manifests, EMPTY_OBSERVATION, config.catalog.schemaOf, '');
  const described = new Set(
    linked.manifests.filter(({ kind }) => kind === importDefinition.name).map(({ metadata }) => metadata.name),
  );
  const isUnknown = ({ kind, spec }: Manifest): boolean =>
    kind === importJob.name && !described.has(String(spec.definition));
  for (const one of bound.filter(({ manifest }) => isUnknown(manifest))) {
    const { path, desired } = await findSource({ config, host }, one);
    const { source } = toImportSpec(desired);
    await readThrough(path, source).catch((error: unknown) => unreadable(error, one, config.folder, host));
  }
  const jobs = await withSpool(dataFolder(config), (spool) =>
    prepareJobs({
      config,
      bound: bound.filter(({ manifest }) => !isUnknown(manifest)),
      leftOut: [],
      observation: EMPTY_OBSERVATION,
      workspace: '',
      state: foldJournals([]),
      again: new Set(),
      spool,
      host,
    }),
  );
  const decided = decideJobs(jobs.map(({ facts }) => facts));
  return decided.flatMap((one) => (one?.reason === 'findings' ? [{ address: one.address, message: one.message }] : []));
}

async function readThrough(path: string, source: ImportSpec['source']): Promise<void> {
  const { rows } = await openSource(path, source);
  for await (const _ of rows);
}
