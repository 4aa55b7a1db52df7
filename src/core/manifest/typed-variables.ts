import type { Diagnostic } from '#base/diagnostics.js';
import type { VariableValues } from './interpolate.js';
import { parseYaml } from './parse.js';
import { jsonType, typeName } from './type-name.js';

/** The values of a command line, and those that are not of their type. */
export interface TypedVariables {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** Texts of a command line as values: each has the type of the value that it takes the place of, or is text. */
export function typedVariables(given: Readonly<Record<string, string>>, defaults: VariableValues): TypedVariables {
  const values: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const [name, text] of Object.entries(given)) {
    const like = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
    const value = typed(text, like);
    if (value === undefined) diagnostics.push(otherType(name, like));
    else values[name] = value;
  }
  return { values, diagnostics };
}

/** Undefined where it is not of that type. */
function typed(text: string, like: unknown): unknown {
  if (like === undefined || like === null || typeof like === 'string') return text;
  const { documents, diagnostics } = parseYaml(text, '--var');
  const [document] = documents;
  if (document === undefined || documents.length > 1 || diagnostics.length > 0) return undefined;
  return jsonType(document.value) === jsonType(like) ? document.value : undefined;
}

const otherType = (name: string, like: unknown): Diagnostic => ({
  severity: 'error',
  code: 'variable-type',
  message: `The variable "${name}" is ${typeName(like)} in the configuration, and \`--var\` gives it another value.`,
  hint: `Give ${typeName(like)}${EXAMPLES[jsonType(like)] ?? ''}.`,
});

const EXAMPLES: Readonly<Record<string, string>> = {
  array: ' as YAML, such as `--var NAME="[a, b]"`',
  object: ' as YAML, such as `--var NAME="{ a: b }"`',
};
