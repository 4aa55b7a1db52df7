import { manifestTypeNamed } from '../catalog.js';
import { type Config, loadConfig } from '../config/load-config.js';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../diagnostics.js';
import { type Linked, link } from '../engine/link.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import { assemble } from '../manifest/assemble.js';
import { loadManifests } from '../manifest/load.js';
import { validateManifests } from '../manifest/validate.js';
import { loadGiven } from './load-given.js';
import { readDocuments } from './read-documents.js';

/** Configuration and manifests of a project, checked as far as that goes without the workspace. */
export interface Project {
  readonly config: Config;
  readonly linked: Linked;
}

/** Reads the project. All findings are emitted; one error among them throws CONFIG_INVALID or MANIFESTS_INVALID. */
export async function openProject(options: ProjectOptions, host: Host): Promise<Project> {
  const config = await openConfig(options, host);
  const loaded =
    options.files === undefined
      ? await loadManifests(config.folder, config.manifests, config.path)
      : await loadGiven(config.folder, options.files, host);
  const read = await readDocuments(loaded.files, config, options, host);
  const validated = validateManifests(read.documents);
  const assembled = assemble(validated.manifests);
  const linked = link(assembled.manifests, schemaOf);
  emitDiagnostics(host, [
    ...loaded.diagnostics,
    ...read.diagnostics,
    ...validated.diagnostics,
    ...assembled.diagnostics,
    ...linked.diagnostics,
  ]);
  return { config, linked };
}

/** The configuration alone, for what needs no manifests. Throws CONFIG_INVALID. */
export async function openConfig({ config }: ProjectOptions, host: Host): Promise<Config> {
  const result = await loadConfig(host.cwd, config);
  emitDiagnostics(host, result.diagnostics, 'CONFIG_INVALID');
  if (result.config === undefined) throw new DexsyncError('CONFIG_INVALID', 'The configuration cannot be used.');
  return result.config;
}

/** Emits every finding, in the order of the files, and ends the operation where one is an error. */
export function emitDiagnostics(
  { emit }: Host,
  diagnostics: readonly Diagnostic[],
  code: 'CONFIG_INVALID' | 'MANIFESTS_INVALID' = 'MANIFESTS_INVALID',
): void {
  for (const diagnostic of sortDiagnostics(diagnostics)) emit({ type: 'diagnostic', diagnostic });
  if (!hasErrors(diagnostics)) return;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const what = code === 'CONFIG_INVALID' ? 'configuration' : 'manifests';
  throw new DexsyncError(code, `${errors} ${errors === 1 ? 'error' : 'errors'} in the ${what}; nothing was sent.`);
}

/** The schema of a manifest's spec. Only validated manifests are asked for, so it is always there. */
export const schemaOf = (kind: string): object => manifestTypeNamed(kind)?.schema ?? {};
