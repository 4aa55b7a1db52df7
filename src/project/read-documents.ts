import { relative, resolve } from 'node:path';
import { decidedName, environmentVariables } from '../config/environment-settings.js';
import type { Config } from '../config/load-config.js';
import { type Diagnostic, hasErrors, withHint } from '../diagnostics.js';
import type { Host, ProjectOptions } from '../host.js';
import { checkVariables, holdsReferences, interpolate, type VariableValues } from '../manifest/interpolate.js';
import { readSource, type SourceFile } from '../manifest/load.js';
import { type ParsedYaml, parseYaml } from '../manifest/parse.js';
import { isObject } from '../model/json.js';
import { nearestHint } from '../nearest.js';

/** Manifest files as documents with their variables filled in. Where nothing refers to one, no source of them is looked at. */
export async function readDocuments(
  files: readonly SourceFile[],
  config: Config,
  options: ProjectOptions,
  host: Host,
): Promise<ParsedYaml> {
  const parsed = parseFiles(files);
  if (!needsVariables(parsed, options)) return mergeParts(parsed);
  const sources = await readVariables(config, options, host);
  if (hasErrors(sources.diagnostics)) return { documents: [], diagnostics: sources.diagnostics };
  return fillDocuments(parsed, sources, environmentVariables(config, options.environment, host.variables));
}

/** The manifests as one environment reads them; `environment` is absent where it makes no difference which. */
export interface Reading {
  readonly environment?: string;
  readonly read: ParsedYaml;
}

/**
 * The manifests as each environment that has all of their variables reads them, the default one first. Where none has,
 * once, with each variable as the first environment that has it says. A chosen environment is the only one.
 */
export async function readForEach(
  files: readonly SourceFile[],
  config: Config,
  options: ProjectOptions,
  host: Host,
): Promise<readonly [Reading, ...Reading[]]> {
  const parsed = parseFiles(files);
  const isChosen = decidedName(options.environment, host.variables) !== undefined;
  if (isChosen || !needsVariables(parsed, options)) {
    return [{ read: await readDocuments(files, config, options, host) }];
  }
  const sources = await readVariables(config, options, host);
  if (hasErrors(sources.diagnostics)) return [{ read: { documents: [], diagnostics: sources.diagnostics } }];
  const sets = variableSets(config);
  const anywhere: VariableValues = Object.assign({}, ...sets.map(({ values }) => values).reverse());
  const all = fillDocuments(parsed, sources, anywhere);
  const needed = [...all.used].filter((name) => Object.hasOwn(anywhere, name) && !Object.hasOwn(sources.after, name));
  const able = sets.filter(({ values }) =>
    needed.every((name) => Object.hasOwn(values, name) || Object.hasOwn(sources.before, name)),
  );
  const [first, ...others] = distinctSets(able, needed);
  if (first === undefined || others.length === 0) {
    return [{ read: first === undefined ? all : fillDocuments(parsed, sources, first.values) }];
  }
  const readWith = ({ environment, values }: VariableSet): Reading => ({
    environment,
    read: fillDocuments(parsed, sources, values),
  });
  return [readWith(first), ...others.map(readWith)];
}

interface VariableSet {
  readonly environment: string;
  readonly values: VariableValues;
}

function variableSets({ environments, defaultEnvironment }: Config): VariableSet[] {
  const all = Object.entries(environments).map(([environment, { variables = {} }]) => ({
    environment,
    values: variables,
  }));
  return all.sort(
    (one, other) => Number(other.environment === defaultEnvironment) - Number(one.environment === defaultEnvironment),
  );
}

/** Environments that give the same values read the same manifests. */
function distinctSets(sets: readonly VariableSet[], needed: readonly string[]): VariableSet[] {
  const byValues = new Map<string, VariableSet>();
  for (const one of sets) {
    const key = JSON.stringify(needed.map((name) => [name, one.values[name]]));
    if (!byValues.has(key)) byValues.set(key, one);
  }
  return [...byValues.values()];
}

interface ParsedFile extends ParsedYaml {
  readonly refers: boolean;
}

const parseFiles = (files: readonly SourceFile[]): ParsedFile[] =>
  files.map(({ text, file }) => ({ ...parseYaml(text, file), refers: holdsReferences(text) }));

/** A variable that is given on the command line is looked at also where nothing refers to one: it is told as unused. */
const needsVariables = (
  parsed: readonly ParsedFile[],
  { variables = {}, variableFiles = [] }: ProjectOptions,
): boolean => Object.keys(variables).length + variableFiles.length > 0 || parsed.some(({ refers }) => refers);

function fillDocuments(
  parsed: readonly ParsedFile[],
  { before, after, given }: VariableSources,
  environment: VariableValues,
): ParsedYaml & { readonly used: ReadonlySet<string> } {
  const values = { ...before, ...environment, ...after };
  const filled = parsed.map(({ documents, diagnostics, refers }) => {
    if (!refers) return { documents, diagnostics, used: new Set<string>() };
    const result = interpolate(documents, values);
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
  });
  const all = mergeParts(filled);
  const used = new Set(filled.flatMap((one) => [...one.used]));
  if (hasErrors(all.diagnostics)) return { ...all, used };
  return { ...all, diagnostics: [...all.diagnostics, ...unusedVariables(given, used)], used };
}

const mergeParts = (parts: readonly ParsedYaml[]): ParsedYaml => ({
  documents: parts.flatMap(({ documents }) => documents),
  diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
});

interface ReadVariables {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** Later ones win: configuration, environment, files, command line. */
interface VariableSources {
  readonly before: VariableValues;
  readonly after: VariableValues;
  /** Names given on the command line. */
  readonly given: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readVariables(config: Config, options: ProjectOptions, host: Host): Promise<VariableSources> {
  const { variables = {}, variableFiles = [] } = options;
  const files = await Promise.all(variableFiles.map((file) => readVariablesFile(file, config.folder, host)));
  return {
    before: config.variables ?? {},
    after: Object.assign({}, ...files.map(({ values }) => values), variables),
    given: Object.keys(variables),
    diagnostics: files.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function readVariablesFile(file: string, project: string, host: Host): Promise<ReadVariables> {
  const path = resolve(host.cwd, file);
  const source = await readSource(path, relative(project, path), file);
  if (!('text' in source)) return { values: {}, diagnostics: [source] };
  const { documents, diagnostics } = parseYaml(source.text, source.file);
  const [document, second] = documents;
  if (document === undefined) return { values: {}, diagnostics };
  const { value, origins } = document;
  if (second === undefined && isObject(value)) {
    return { values: value, diagnostics: [...diagnostics, ...checkVariables(value, { base: '', origins })] };
  }
  const { start: origin } = second?.origins ?? origins;
  const message = `${file} must be one map of variables, such as \`NAME: value\`.`;
  return { values: {}, diagnostics: [...diagnostics, { severity: 'error', code: 'variables-shape', message, origin }] };
}

/** A mistyped --var would otherwise leave everything as it was without a word. */
const unusedVariables = (given: readonly string[], used: ReadonlySet<string>): Diagnostic[] =>
  given
    .filter((name) => !used.has(name))
    .map((name) => {
      const message = `No manifest uses the variable "${name}" given with \`--var\`.`;
      return withHint({ severity: 'warning', code: 'variable-unused', message }, nearestHint(name, [...used]));
    });
