import type { Diagnostic } from '#base/diagnostics.js';
import { type LoadedFiles, loadManifests } from '#core/manifest/load.js';
import { type EnvironmentLayer, environmentLayers } from './config/environment-settings.js';
import type { Config } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { loadGiven } from './load-given.js';
import { shownFile } from './shown-file.js';

/** The files of an environment: its manifests, and the overlay on them. */
export interface LayeredFiles {
  readonly manifests: LoadedFiles['files'];
  readonly overlay: LoadedFiles['files'];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the manifests of one environment. Excludes those of other environments and all overlays, which may be below a
 * folder of manifests. Files that were named explicitly replace all manifests.
 */
export async function loadLayers(
  config: Config,
  { name, manifests, overlay }: EnvironmentLayer,
  { files }: Pick<ProjectOptions, 'files'>,
  host: Host,
): Promise<LayeredFiles> {
  const shown = shownFile(host.cwd, config.folder);
  const load = (paths: readonly string[], except: readonly string[] = []): Promise<LoadedFiles> =>
    loadManifests(config.folder, paths, config.path, shown, except);
  const others = environmentLayers(config).flatMap((layer) => [
    ...[layer.overlay ?? []].flat(),
    ...(layer.name === name ? [] : layer.manifests.filter((path) => !manifests.includes(path))),
  ]);
  const own =
    files === undefined
      ? await load([...config.manifests, ...manifests], others)
      : await loadGiven(config.folder, files, host);
  const laid = overlay === undefined ? { files: [], diagnostics: [] } : await load([overlay]);
  return { manifests: own.files, overlay: laid.files, diagnostics: [...own.diagnostics, ...laid.diagnostics] };
}

/** Reads the files of all environments together. */
export function loadAll(config: Config, host: Host): Promise<LoadedFiles> {
  const layers = environmentLayers(config);
  const paths = [
    ...config.manifests,
    ...layers.flatMap(({ manifests, overlay = [] }) => [...manifests, ...[overlay].flat()]),
  ];
  return loadManifests(config.folder, paths, config.path, shownFile(host.cwd, config.folder));
}
