import type { Diagnostic } from '#base/diagnostics.js';
import type { VariableValues } from './fill-references.js';
import { parseYaml } from './parse.js';
import { jsonType, typeName } from './type-name.js';

/** The variable values of a command line, and diagnostics about those of the wrong type. */
export interface TypedVariables {
  readonly values: VariableValues;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses the texts of a command line: each gets the type of the value that it replaces, or stays text. */
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

/** Undefined if the text does not have that type. */
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
