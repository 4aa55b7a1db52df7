import type { Origin } from '#base/diagnostics.js';
import { importJob } from '#core/jobs/import.js';
import type { Address } from '#core/model/address.js';
import type { BlockedImport } from '#data/imports/check-sources.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProjectAnywhere, type Project } from '#project/project.js';

/** The result of checking a project without a workspace. */
export interface Validated {
  readonly manifests: number;
  readonly files: number;
  /** Each manifest with the place where it begins, relative to the project. */
  readonly objects: readonly { readonly address: Address; readonly origin: Origin }[];
  /** Imports whose sources have findings that their commit rule does not accept. */
  readonly blocked: readonly BlockedImport[];
}

/**
 * Checks configuration, manifests and the sources of imports without contacting any workspace. Emits findings, and
 * throws for an error in the manifests.
 */
export async function validate(options: ProjectOptions, host: Host): Promise<Validated> {
  const project = await openProjectAnywhere(options, host);
  const { manifests } = project.linked;
  const files = new Set(manifests.map(({ origins }) => origins.start.file));
  const objects = manifests.map(({ address, origins }) => ({ address, origin: origins.start }));
  return { manifests: manifests.length, files: files.size, objects, blocked: await blockedIn(project, host) };
}

/** Loads the readers of tables and workbooks only if there is an import. */
async function blockedIn(project: Project, host: Host): Promise<readonly BlockedImport[]> {
  if (!project.linked.manifests.some(({ kind }) => kind === importJob.name)) return [];
  const { checkSources } = await import('#data/imports/check-sources.js');
  return checkSources(project, host);
}
