import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { importJob, toImportSpec } from '#core/jobs/import.js';
import type { ImportSource } from '#core/jobs/source.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { FOR_EACH } from '#core/manifest/for-each.js';
import type { SettledImport, SettledList } from '#data/bulk/inspect/settled-list.js';
import { findFile } from '#data/bulk/source/find-file.js';
import type { Config } from '#project/config/load-config.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { listTemplates } from '#project/list-templates.js';
import { openProject, type Project } from '#project/project.js';
import { sourceFolder } from '#project/source-place.js';

/** The lists that a project reads: of its Imports, and of its manifests of rows. Throws if the project has an error. */
export async function settledLists(options: ProjectOptions, host: Host): Promise<readonly SettledList[]> {
  const project = await openProject(options, host);
  const { config } = project;
  const templates = await listTemplates(config, options, host);
  const objects = templates.map(({ file, manifest }) => {
    const source = manifest[FOR_EACH] as unknown as ImportSource;
    return { by: `${manifest.kind} (${file})`, file, source, settled: { manifest } };
  });
  const lists = [...importsOf(project), ...objects];
  return Promise.all(
    lists.map(async ({ file, ...list }) => ({ ...list, path: await pathOf(file, list, config, host) })),
  );
}

/** The path of the file of a list; the one that its source would have if there is none. */
async function pathOf(manifest: string, { source }: Pick<SettledList, 'source'>, { folder }: Config, { cwd }: Host) {
  const path = resolve(sourceFolder(manifest, folder, cwd), source.file);
  const found = await findFile(path, source).catch(() => ({ path }));
  return realpath(found.path).catch(() => found.path);
}

/** Imports can be taken for another list if their definitions are manifests too. */
function importsOf({ linked }: Project): (Omit<SettledList, 'path'> & { readonly file: string })[] {
  const definitions = new Map(
    linked.manifests.flatMap(({ kind, metadata, spec }) =>
      kind === importDefinition.name ? [[metadata.name, parseImportDefinition(spec)]] : [],
    ),
  );
  return linked.manifests.flatMap(({ address, kind, metadata: { name }, spec: all, origins }) => {
    if (kind !== importJob.name) return [];
    const spec = toImportSpec(all);
    const definition = definitions.get(spec.definition);
    const settled: SettledImport | undefined = definition && { name, definition, spec };
    const list = { by: address, file: origins.start.file, source: spec.source };
    return [settled === undefined ? list : { ...list, settled }];
  });
}
