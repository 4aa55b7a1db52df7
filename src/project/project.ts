import { type Diagnostic, hasErrors, isOfEnvironment, sortDiagnostics } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { builtIn, type Catalog } from '#core/catalog.js';
import { type Linked, link } from '#core/engine/link.js';
import { assemble } from '#core/manifest/assemble.js';
import { limitRepeats } from '#core/manifest/limit-repeats.js';
import type { ParsedYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import { type Config, loadConfig } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { once } from './once.js';
import { type EnvironmentReading, type FilledLayers, readDocuments, readForEach } from './read-documents.js';
import { shownFile } from './shown-file.js';

/** Configuration and manifests of a project, checked as far as possible without the workspace. */
export interface Project {
  readonly config: Config;
  readonly linked: Linked;
  /** The layers from which the manifests of its environment were merged. */
  readonly layers: FilledLayers;
}

/**
 * Opens a project. Emits all findings; an error among them throws CONFIG_INVALID or MANIFESTS_INVALID. `expected`:
 * codes of findings that this command ignores.
 */
export async function openProject(
  options: ProjectOptions,
  host: Host,
  expected: readonly string[] = [],
): Promise<Project> {
  const config = await openConfig(options, host);
  const { diagnostics, ...rest } = await readDocuments(config, options, host);
  const read = { ...rest, diagnostics: diagnostics.filter(({ code }) => !expected.includes(code)) };
  const checked = checkDocuments(read, config.catalog, shownFile(host.cwd, config.folder));
  emitDiagnostics(host, config.folder, checked.diagnostics);
  return { config, linked: checked.linked, layers: read.layers };
}

/**
 * Opens a project for a check without a workspace: if no environment is chosen, checks the manifests of each. Returns
 * the project of the first.
 */
export async function openProjectAnywhere(options: ProjectOptions, host: Host): Promise<Project> {
  const config = await openConfig(options, host);
  const [first, ...others] = await readForEach(config, options, host);
  const shown = shownFile(host.cwd, config.folder);
  const check = (one: EnvironmentReading): Checked & EnvironmentReading => {
    const { linked, diagnostics } = checkDocuments(one.read, config.catalog, shown);
    return { ...one, linked, diagnostics: [...diagnostics, ...probableTypos(linked)] };
  };
  const checked = check(first);
  const all = [checked, ...others.map(check)];
  emitDiagnostics(host, config.folder, mergeFindings(all));
  return { config, linked: checked.linked, layers: first.read.layers };
}

interface Checked {
  readonly linked: Linked;
  readonly diagnostics: readonly Diagnostic[];
}

/** The probable typos: errors without a workspace; with one, `bind` knows whether the object has them. */
export const probableTypos = ({ manifests }: Pick<Linked, 'manifests'>): Diagnostic[] =>
  manifests.flatMap(({ doubts = [] }) => doubts.map(({ finding }) => finding));

function checkDocuments(read: ParsedYaml, catalog: Catalog, shown: (file: string) => string): Checked {
  const validated = validateManifests(read.documents, catalog);
  const assembled = assemble(validated.manifests, shown);
  const linked = link(assembled.manifests, catalog.schemaOf);
  const stages = [read, validated, assembled, linked];
  return { linked, diagnostics: limitRepeats(stages.flatMap(({ diagnostics }) => diagnostics)) };
}

/** Merges equal findings; one that not all environments have names the first that has it. */
function mergeFindings(checks: readonly (Checked & Pick<EnvironmentReading, 'environment'>)[]): Diagnostic[] {
  const found = new Map<string, { diagnostic: Diagnostic; environments: (string | undefined)[] }>();
  for (const { environment, diagnostics } of checks) {
    for (const diagnostic of diagnostics) {
      // Hints may list names that only one environment knows.
      const key = JSON.stringify([diagnostic.code, diagnostic.message, diagnostic.origin]);
      const known = found.get(key) ?? { diagnostic, environments: [] };
      found.set(key, { ...known, environments: [...known.environments, environment] });
    }
  }
  return [...found.values()].map(({ diagnostic, environments: [first, ...others] }) => {
    if (first === undefined || others.length + 1 >= checks.length) return diagnostic;
    const where = `Found in environment "${first}".`;
    return { ...diagnostic, hint: diagnostic.hint === undefined ? where : `${diagnostic.hint} ${where}` };
  });
}

/** Opens only the configuration, for commands that need no manifests. Throws CONFIG_INVALID. */
export const openConfig = (options: ProjectOptions, host: Host): Promise<Config> =>
  once(host, ['config', options.config, options.dataFolder], () => readConfig(options, host));

async function readConfig({ config, dataFolder }: ProjectOptions, host: Host): Promise<Config> {
  const result = await loadConfig(host, config);
  emitDiagnostics(host, host.cwd, result.diagnostics, 'CONFIG_INVALID');
  if (result.config === undefined) throw new DexsyncError('CONFIG_INVALID', 'The configuration cannot be used.');
  const loaded = dataFolder === undefined ? result.config : { ...result.config, data: dataFolder };
  if (loaded.kinds.length === 0) return { ...loaded, catalog: builtIn };
  const { loadOwnKinds } = await import('./own-kinds.js');
  const own = await loadOwnKinds(loaded, host);
  emitDiagnostics(host, host.cwd, own.diagnostics, 'CONFIG_INVALID');
  return { ...loaded, catalog: own.catalog };
}

/**
 * Emits every finding, in the order of the files, and throws if one is an error. Files of findings are relative to
 * `folder`, and shown relative to the working folder.
 */
export function emitDiagnostics(
  { cwd, emit }: Pick<Host, 'cwd' | 'emit'>,
  folder: string,
  diagnostics: readonly Diagnostic[],
  code: InvalidCode = 'MANIFESTS_INVALID',
): void {
  const shown = shownFile(cwd, folder);
  for (const { origin, ...rest } of sortDiagnostics(diagnostics)) {
    const place =
      origin === undefined || isOfEnvironment(origin) ? {} : { origin: { ...origin, file: shown(origin.file) } };
    emit({ type: 'diagnostic', diagnostic: { ...rest, ...place } });
  }
  if (!hasErrors(diagnostics)) return;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new DexsyncError(code, `${errors} ${errors === 1 ? 'error' : 'errors'} in ${INVALID[code]}; nothing was sent.`);
}

/** The names of invalid input in messages, by error code. */
const INVALID = {
  CONFIG_INVALID: 'the configuration',
  MANIFESTS_INVALID: 'the manifests',
  PROMOTION_INVALID: 'what would be promoted',
} as const;

type InvalidCode = keyof typeof INVALID;
