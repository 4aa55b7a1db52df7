import { type Diagnostic, hasErrors, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { holdsReferences, type VariableValues } from '#core/manifest/fill-references.js';
import { FOR_EACH } from '#core/manifest/for-each.js';
import { interpolate, listPlaces } from '#core/manifest/interpolate.js';
import type { SourceFile } from '#core/manifest/load.js';
import { applyOverlay, type Overlay } from '#core/manifest/overlay.js';
import { type ParsedYaml, parseYaml } from '#core/manifest/parse.js';
import { typedVariables } from '#core/manifest/typed-variables.js';
import type { Document } from '#core/model/document.js';
import { chosenLayer, decidedName, type EnvironmentLayer, environmentLayers } from './config/environment-settings.js';
import type { Config } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { loadLayers } from './load-layers.js';
import { once } from './once.js';
import { type ReadLists, readLists } from './read-lists.js';
import { readVariablesFile } from './read-variables-file.js';

/** The documents of an environment with variables filled in, before its overlay is applied to the manifests. */
export interface FilledLayers {
  readonly environment: string;
  readonly manifests: readonly Document[];
  readonly overlay: readonly Document[];
}

/** Manifests as documents, and the layers from which they were merged. */
export interface ReadDocuments extends ParsedYaml {
  readonly layers: FilledLayers;
}

/** Reads the manifests of one environment as documents, fills in variables and applies the overlay. */
export async function readDocuments(config: Config, options: ProjectOptions, host: Host): Promise<ReadDocuments> {
  const layer = chosenLayer(config, options.environment, host.variables);
  const parsed = await parseLayers(config, layer, options, host);
  const sources = await readVariables(parsed, config, options, host);
  return fillLayers(parsed, sources, layer.variables);
}

/** The manifests as one environment reads them; `environment` is absent if all read the same. */
export interface EnvironmentReading {
  readonly environment?: string;
  readonly read: ReadDocuments;
}

/**
 * Reads the manifests as each environment that has all of their variables, the default one first. If none has, reads
 * them once, with each variable of the first environment that has it. A chosen environment is the only one.
 */
export async function readForEach(
  config: Config,
  options: ProjectOptions,
  host: Host,
): Promise<readonly [EnvironmentReading, ...EnvironmentReading[]]> {
  const isChosen = decidedName(options.environment, host.variables) !== undefined;
  const layers = environmentLayers(config);
  const [first, ...others] = isChosen ? [] : groupsOf(layers);
  if (first === undefined) return [{ read: await readDocuments(config, options, host) }];
  const readings = await readGroup(first, config, options, host);
  for (const group of others) readings.push(...(await readGroup(group, config, options, host)));
  const [one, ...more] = readings;
  return more.length === 0 ? [{ read: one.read }] : [one, ...more];
}

type Group = readonly [EnvironmentLayer, ...EnvironmentLayer[]];

/** Groups environments that read the same files. */
function groupsOf(layers: readonly EnvironmentLayer[]): Group[] {
  const groups = new Map<string, Group>();
  for (const layer of layers) {
    const key = JSON.stringify([layer.manifests, layer.overlay]);
    groups.set(key, [...(groups.get(key) ?? []), layer] as unknown as Group);
  }
  return [...groups.values()];
}

async function readGroup(
  [layer, ...more]: Group,
  config: Config,
  options: ProjectOptions,
  host: Host,
): Promise<[EnvironmentReading, ...EnvironmentReading[]]> {
  const parsed = await parseLayers(config, layer, options, host);
  const sources = await readVariables(parsed, config, options, host);
  const layers = [layer, ...more];
  const anywhere: VariableValues = Object.assign({}, ...layers.map(({ variables }) => variables).reverse());
  const all = await fillLayers(parsed, sources, anywhere);
  // Variables from files and the command line are the same in all environments.
  const { fromFiles, given } = sources;
  const needed = [...all.used].filter(
    (name) => Object.hasOwn(anywhere, name) && !Object.hasOwn(fromFiles, name) && !Object.hasOwn(given, name),
  );
  const able = layers.filter(({ variables }) =>
    needed.every((name) => Object.hasOwn(variables, name) || Object.hasOwn(sources.before, name)),
  );
  const [first, ...others] = distinctLayers(able, needed);
  const readWith = async ({ name, variables }: EnvironmentLayer): Promise<EnvironmentReading> => ({
    ...omitUndefined({ environment: name }),
    read: await fillLayers(parsed, sources, variables),
  });
  return first === undefined ? [{ read: all }] : [await readWith(first), ...(await Promise.all(others.map(readWith)))];
}

/** Drops environments with the same values as another: they read the same manifests. */
function distinctLayers(layers: readonly EnvironmentLayer[], needed: readonly string[]): EnvironmentLayer[] {
  const byValues = new Map<string, EnvironmentLayer>();
  for (const one of layers) {
    const key = JSON.stringify(needed.map((name) => [name, one.variables[name]]));
    if (!byValues.has(key)) byValues.set(key, one);
  }
  return [...byValues.values()];
}

interface ParsedFile extends ParsedYaml {
  readonly refers: boolean;
}

/** The files of an environment as written. */
interface ParsedLayers {
  readonly manifests: readonly ParsedFile[];
  readonly overlay: readonly ParsedFile[];
  readonly environment: string;
  readonly missing: Overlay['missing'];
  readonly catalog: Config['catalog'];
  readonly lists: ReadLists;
  readonly diagnostics: readonly Diagnostic[];
}

async function parseLayers(
  config: Config,
  layer: EnvironmentLayer,
  options: ProjectOptions,
  host: Host,
): Promise<ParsedLayers> {
  const { name: environment = '', manifests, overlay } = layer;
  // The files of an overlay are read once for each environment, whose name is in their findings.
  const key = ['files', config.path, manifests, options.files, overlay === undefined ? [] : [environment, overlay]];
  const read = await once(host, key, () => readFiles(config, layer, options, host));
  return { ...read, environment };
}

async function readFiles(
  config: Config,
  layer: EnvironmentLayer,
  options: ProjectOptions,
  host: Host,
): Promise<Omit<ParsedLayers, 'environment'>> {
  const { manifests, overlay, diagnostics } = await loadLayers(config, layer, options, host);
  const { name: environment = '' } = layer;
  const parse = (files: readonly SourceFile[], label?: string): ParsedFile[] =>
    files.map(({ text, file }) => ({ ...parseYaml(text, file, label), refers: refers(text) }));
  return {
    manifests: parse(manifests),
    overlay: parse(overlay, `overlay of ${environment}`),
    missing: options.files === undefined ? 'refused' : 'ignored',
    catalog: config.catalog,
    lists: readLists(config, host),
    diagnostics,
  };
}

const refers = (text: string): boolean => holdsReferences(text) || text.includes(FOR_EACH);

/** Whether variables must be read. Those of the command line always are: they may be reported as unused. */
const needsVariables = (
  { manifests, overlay }: ParsedLayers,
  { variables = {}, variableFiles = [] }: ProjectOptions,
): boolean =>
  Object.keys(variables).length + variableFiles.length > 0 || [...manifests, ...overlay].some((file) => file.refers);

async function fillLayers(
  { manifests, overlay, environment, missing, catalog, lists, diagnostics }: ParsedLayers,
  sources: VariableSources,
  variables: VariableValues,
): Promise<ReadDocuments & { readonly used: ReadonlySet<string> }> {
  const used = new Set<string>();
  if (hasErrors(sources.diagnostics)) {
    const layers = { environment, manifests: [], overlay: [] };
    return { documents: [], diagnostics: [...diagnostics, ...sources.diagnostics], used, layers };
  }
  const defaults = { ...sources.before, ...variables, ...sources.fromFiles };
  const given = typedVariables(sources.given, defaults);
  const values = { ...defaults, ...given.values };
  const sourceOf = (name: string): string => {
    if (Object.hasOwn(sources.given, name)) return '`--var`';
    if (Object.hasOwn(sources.fromFiles, name)) return '`--var-file`';
    return Object.hasOwn(variables, name) ? `environment ${environment}` : 'the configuration';
  };
  const named = [...manifests, ...overlay].filter(({ refers }) => refers);
  const unread = await lists.read(named.flatMap(({ documents }) => listPlaces(documents, values)));
  const [base, laid] = [manifests, overlay].map((files) => {
    const parts = files.map((file) => (file.refers ? interpolateFile(file, { values, sourceOf, used, lists }) : file));
    return mergeParts(parts);
  }) as [ParsedYaml, ParsedYaml];
  const merged = applyOverlay(base.documents, { environment, documents: laid.documents, missing, catalog });
  const all = [diagnostics, given.diagnostics, unread, base.diagnostics, laid.diagnostics, merged.diagnostics].flat();
  const unused = hasErrors(all) ? [] : unusedVariables(Object.keys(sources.given), used);
  const layers = { environment, manifests: base.documents, overlay: laid.documents };
  return { documents: merged.documents, diagnostics: [...all, ...unused], used, layers };
}

interface FillContext {
  readonly values: VariableValues;
  readonly sourceOf: (name: string) => string;
  readonly used: Set<string>;
  readonly lists: ReadLists;
}

function interpolateFile(
  { documents, diagnostics }: ParsedFile,
  { values, sourceOf, used, lists }: FillContext,
): ParsedYaml {
  const result = interpolate(documents, values, sourceOf, lists);
  for (const name of result.used) used.add(name);
  return { documents: result.documents, diagnostics: [...diagnostics, ...result.diagnostics] };
}

const mergeParts = (parts: readonly ParsedYaml[]): ParsedYaml => ({
  documents: parts.flatMap(({ documents }) => documents),
  diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
});

/** Later ones win: configuration, environment, files, command line. */
interface VariableSources {
  readonly before: VariableValues;
  readonly fromFiles: VariableValues;
  /** From the command line. */
  readonly given: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads the sources of variables, but none if nothing needs a variable. */
async function readVariables(
  parsed: ParsedLayers,
  config: Config,
  options: ProjectOptions,
  host: Host,
): Promise<VariableSources> {
  const { variables: given = {}, variableFiles = [] } = needsVariables(parsed, options) ? options : {};
  const files = await Promise.all(variableFiles.map((file) => readVariablesFile(file, config.folder, host)));
  const fromFiles: VariableValues = Object.assign({}, ...files.map(({ values }) => values));
  return {
    before: config.variables ?? {},
    fromFiles,
    given,
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Warns about unused variables: otherwise a mistyped --var would silently have no effect. */
const unusedVariables = (given: readonly string[], used: ReadonlySet<string>): Diagnostic[] =>
  given
    .filter((name) => !used.has(name))
    .map((name) => {
      const message = `No manifest uses the variable "${name}" given with \`--var\`.`;
      return withHint({ severity: 'warning', code: 'variable-unused', message }, nearestHint(name, [...used]));
    });
