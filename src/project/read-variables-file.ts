import { relative, resolve } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import type { VariableValues } from '#core/manifest/fill-references.js';
import { checkVariables } from '#core/manifest/interpolate.js';
import { readSource } from '#core/manifest/load.js';
import { parseYaml } from '#core/manifest/parse.js';
import { isObject } from '#core/model/json.js';
import type { Host } from './host.js';

/** The variables of a file, and its diagnostics. */
export interface ReadVariables {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a file of `--var-file`: one map of variables. */
export async function readVariablesFile(file: string, project: string, host: Host): Promise<ReadVariables> {
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
