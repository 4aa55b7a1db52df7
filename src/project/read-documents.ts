import { resolve } from 'node:path';
import { environmentVariables } from '../config/environment-settings.js';
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
  const parsed = files.map(({ text, file }) => parseYaml(text, file));
  const refers = files.map(({ text }) => holdsReferences(text));
  const { variables: given = {}, variableFiles = [] } = options;
  const asked = Object.keys(given).length + variableFiles.length > 0;
  if (!asked && !refers.includes(true)) return mergeParts(parsed);
  const variables = await readVariables(config, options, host);
  if (hasErrors(variables.diagnostics)) return { documents: [], diagnostics: variables.diagnostics };
  const filled = parsed.map(({ documents, diagnostics }, index) => {
    if (refers[index] !== true) return { documents, diagnostics, used: new Set<string>() };
    const result = interpolate(documents, variables.values);
    return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
  });
  const all = mergeParts(filled);
  if (hasErrors(all.diagnostics)) return all;
  const used = new Set(filled.flatMap((one) => [...one.used]));
  return { ...all, diagnostics: [...all.diagnostics, ...unusedVariables(Object.keys(given), used)] };
}

const mergeParts = (parts: readonly ParsedYaml[]): ParsedYaml => ({
  documents: parts.flatMap(({ documents }) => documents),
  diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
});

interface ReadVariables {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** From all sources; later ones win: configuration, environment, files, command line. */
async function readVariables(config: Config, options: ProjectOptions, host: Host): Promise<ReadVariables> {
  const { environment, variables = {}, variableFiles = [] } = options;
  const files = await Promise.all(variableFiles.map((file) => readVariablesFile(file, host)));
  const layers = [
    config.variables ?? {},
    environmentVariables(config, environment, host.variables),
    ...files.map(({ values }) => values),
    variables,
  ];
  return { values: Object.assign({}, ...layers), diagnostics: files.flatMap(({ diagnostics }) => diagnostics) };
}

async function readVariablesFile(file: string, host: Host): Promise<ReadVariables> {
  const source = await readSource(resolve(host.cwd, file), file);
  if (!('text' in source)) return { values: {}, diagnostics: [source] };
  const { documents, diagnostics } = parseYaml(source.text, file);
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
      const message = `No manifest uses the variable "${name}" given with --var.`;
      return withHint({ severity: 'warning', code: 'variable-unused', message }, nearestHint(name, [...used]));
    });
