import type { Diagnostic } from '../diagnostics.js';
import type { Document, Origins } from '../model/document.js';
import { isObject, type Json } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { nearestHint } from '../nearest.js';

/** What `${var.NAME}` stands for. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** Documents with their references filled in, and the names of the variables that were used. */
export interface InterpolatedDocuments {
  /** Those without errors. */
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
  readonly used: ReadonlySet<string>;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `$${` (a literal `${`), `${…}`, or `${` that nothing closes. */
const REFERENCE = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;

/** A text that holds none of these needs no look at its values. */
export const holdsReferences = (text: string): boolean => text.includes('${');

/** A value as it is written where references are filled in: every text in it stands for itself. */
export function withoutReferences(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutReferences(entry)]));
}

/** Fills in variables: the stage between parse and validate (design, section 3). Positions stay those of the file. */
export function interpolate(documents: readonly Document[], variables: VariableValues): InterpolatedDocuments {
  const used = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const filled: Document[] = [];
  for (const { value, origins } of documents) {
    const filling = { variables, used, origins, found: [] as Diagnostic[] };
    const result = fill(value, '', filling);
    diagnostics.push(...filling.found);
    if (filling.found.length === 0) filled.push({ value: result, origins });
  }
  return { documents: filled, diagnostics, used };
}

interface Filling {
  readonly variables: VariableValues;
  readonly used: Set<string>;
  readonly origins: Origins;
  readonly found: Diagnostic[];
}

function fill(value: unknown, at: Pointer, filling: Filling): unknown {
  if (typeof value === 'string') return holdsReferences(value) ? fillText(value, at, filling) : value;
  if (Array.isArray(value)) return value.map((entry, index) => fill(entry, pointerTo(at, index), filling));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, entry]) => {
    const here = pointerTo(at, key);
    if (/\$\{(var|env)\./.test(key)) filling.found.push(referenceInKey(key, filling.origins, here));
    return [key, fill(entry, here, filling)];
  });
  return Object.fromEntries(members);
}

/** A text that is exactly one reference becomes the variable's value, whatever its type. */
function fillText(text: string, at: Pointer, filling: Filling): unknown {
  const whole = /^\$\{var\.([^{}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return variableNamed(whole, at, filling);
  return text.replaceAll(REFERENCE, (reference: string, inner: string | undefined) => {
    if (reference === '$${') return '${';
    const name = inner?.startsWith('var.') ? inner.slice('var.'.length) : undefined;
    if (name === undefined) return addFinding(badReference(reference, inner), reference, at, filling);
    const value = variableNamed(name, at, filling);
    if (isText(value)) return String(value);
    const message = `The variable "${name}" is ${typeName(value)}, which cannot be part of a longer text.`;
    const hint = `Only text, numbers, true and false can. Write \`\${var.${name}}\` alone to keep the value's type.`;
    return addFinding({ code: 'variable-value', message, hint }, reference, at, filling);
  });
}

type ReferenceFinding = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

function addFinding(finding: ReferenceFinding, reference: string, at: Pointer, { origins, found }: Filling): string {
  found.push({ severity: 'error', ...finding, origin: origins.value(at) });
  return reference;
}

/** The text itself where there is no such variable, so that one mistake is told once. */
function variableNamed(name: string, at: Pointer, filling: Filling): unknown {
  const { variables, used } = filling;
  if (Object.hasOwn(variables, name)) {
    used.add(name);
    return variables[name];
  }
  const hint =
    nearestHint(name, Object.keys(variables)) ??
    'Set it under `variables` in sync.config.yaml, or with `--var NAME=VALUE` or `--var-file FILE`.';
  return addFinding({ code: 'variable-unknown', message: `There is no variable "${name}".`, hint }, name, at, filling);
}

function badReference(reference: string, inner: string | undefined): ReferenceFinding {
  if (inner?.startsWith('env.')) {
    return {
      code: 'variable-environment',
      message: `${reference} is not allowed in a manifest: environment values must not enter a plan.`,
      hint: `Write \`\${var.NAME}\`, and give the value with \`--var NAME="$${inner.slice('env.'.length)}"\`.`,
    };
  }
  const message = `"${reference}" is not a valid variable reference.`;
  return { code: 'variable-syntax', message, hint: 'Write `${var.NAME}`, or `$${` for a literal `${`.' };
}

const referenceInKey = (key: string, origins: Origins, at: Pointer): Diagnostic => ({
  severity: 'error',
  code: 'variable-key',
  message: `Keys cannot contain variables: "${key}".`,
  hint: 'Write the key in full, or make the whole map a variable.',
  origin: origins.key(at),
});

const isText = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const typeName = (value: unknown): string =>
  value === null ? 'empty (null)' : Array.isArray(value) ? 'a list' : 'a map';

/** What a set of variables cannot hold: names that no reference can write, and references to others. */
export function checkVariables(
  variables: VariableValues,
  { base, origins }: { readonly base: Pointer; readonly origins: Origins },
): Diagnostic[] {
  return Object.entries(variables).flatMap(([name, value]): Diagnostic[] => {
    const at = pointerTo(base, name);
    const wrongName: Diagnostic = {
      severity: 'error',
      code: 'variable-name',
      message: `"${name}" is not a valid variable name.`,
      hint: 'Use letters, digits, "_" and "-", and begin with a letter or "_".',
      origin: origins.key(at),
    };
    const references = referencesIn(value, at).map(
      (place): Diagnostic => ({
        severity: 'error',
        code: 'variable-nested',
        message: `The variable "${name}" contains a reference, but variable values are used literally.`,
        hint: 'Give the value with `--var NAME=VALUE` instead.',
        origin: origins.value(place),
      }),
    );
    return [...(VARIABLE_NAME.test(name) ? [] : [wrongName]), ...references];
  });
}

function referencesIn(value: unknown, at: Pointer): Pointer[] {
  if (typeof value === 'string') return /\$\{(var|env)\./.test(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Record<string, Json>).flatMap(([key, entry]) =>
    referencesIn(entry, pointerTo(at, key)),
  );
}
