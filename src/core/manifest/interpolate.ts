import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import type { Document, Origins } from '../model/document.js';
import { isObject, type Json } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { FOR_EACH, FOR_EACH_HINT, type Item, listItems } from './for-each.js';
import { filledOrigins } from './layered-origins.js';
import { typeName } from './type-name.js';

/** The values of variables by name, for `${var.NAME}`. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** Documents with their references filled in, and the names of the variables that were used. */
export interface InterpolatedDocuments {
  /** The documents without errors. */
  readonly documents: readonly Document[];
  readonly diagnostics: readonly Diagnostic[];
  readonly used: ReadonlySet<string>;
}

const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `$${` (a literal `${`), `${…}`, or an unclosed `${`. */
const REFERENCE = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;

/** Whether a text may contain references; if not, its values need no check. */
export const holdsReferences = (text: string): boolean => text.includes('${');

/** Escapes every `${` in a value, so that interpolation keeps its texts. */
export function withoutReferences(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withoutReferences(entry)]));
}

/**
 * Fills in variables, and creates a document for each item of a `forEach`: the stages between parse and merge.
 * Positions stay those of the file.
 */
export function interpolate(
  documents: readonly Document[],
  variables: VariableValues,
  sourceOf: (name: string) => string = () => 'the configuration',
): InterpolatedDocuments {
  const used = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const filled: Document[] = [];
  for (const { value, origins } of documents) {
    const filling: FillContext = { variables, sourceOf, used, origins, found: [], sources: new Map() };
    const results = fillDocument(value, filling);
    diagnostics.push(...filling.found);
    if (filling.found.length === 0) filled.push(...results);
  }
  return { documents: filled, diagnostics, used };
}

interface FillContext {
  readonly variables: VariableValues;
  readonly used: Set<string>;
  readonly origins: Origins;
  readonly found: Diagnostic[];
  readonly sourceOf: (name: string) => string;
  /** The source of each value that was filled in. */
  readonly sources: Map<Pointer, string>;
  /** The item of this copy of a document with `forEach`. */
  readonly each?: Item;
}

function fillDocument(value: unknown, filling: FillContext): Document[] {
  if (!isObject(value) || !Object.hasOwn(value, FOR_EACH)) return [filledDocument(value, filling)];
  const { [FOR_EACH]: given, ...rest } = value;
  const at = pointerTo('', FOR_EACH);
  const before = filling.found.length;
  const list = fill(given, at, filling);
  if (filling.found.length > before) return [];
  const items = listItems(list, rest);
  if ('code' in items) {
    addFinding(items, '', at, filling);
    return [];
  }
  const copies: Document[] = [];
  for (const each of items) {
    copies.push(filledDocument(rest, { ...filling, each, sources: new Map() }));
    // A mistake that each copy repeats is reported once.
    if (filling.found.length > before) break;
  }
  return copies;
}

function filledDocument(value: unknown, filling: FillContext): Document {
  const { origins, sources } = filling;
  return { value: fill(value, '', filling), origins: filledOrigins(origins, sources) };
}

function fill(value: unknown, at: Pointer, filling: FillContext): unknown {
  if (typeof value === 'string') return holdsReferences(value) ? fillText(value, at, filling) : value;
  if (Array.isArray(value)) return value.map((entry, index) => fill(entry, pointerTo(at, index), filling));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, entry]) => {
    const here = pointerTo(at, key);
    if (/\$\{(var|env|each)\./.test(key)) filling.found.push(referenceInKey(key, filling.origins, here));
    return [key, fill(entry, here, filling)];
  });
  return Object.fromEntries(members);
}

/** A text that is exactly one reference becomes the referenced value, of any type. */
function fillText(text: string, at: Pointer, filling: FillContext): unknown {
  const whole = /^\$\{((?:var|each)\.[^{}]*)\}$/.exec(text)?.[1];
  if (whole !== undefined) return referredValue(whole, at, filling);
  return text.replaceAll(REFERENCE, (reference: string, inner: string | undefined) => {
    if (reference === '$${') return '${';
    if (inner === undefined || !/^(var|each)\./.test(inner))
      return addFinding(badReference(reference, inner), reference, at, filling);
    const value = referredValue(inner, at, filling);
    if (isText(value)) return String(value);
    const message = `"${reference}" is ${typeName(value)}, which cannot be part of a longer text.`;
    const member = isObject(value) ? ` \`${reference.slice(0, -1)}.MEMBER}\` is a member of the map.` : '';
    const hint = `Only text, numbers, true and false can. Write \`${reference}\` alone to keep the value's type.${member}`;
    return addFinding({ code: 'variable-value', message, hint }, reference, at, filling);
  });
}

type ReferenceFinding = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

function addFinding(
  finding: ReferenceFinding,
  reference: string,
  at: Pointer,
  { origins, found }: FillContext,
): string {
  found.push({ severity: 'error', ...finding, origin: origins.value(at) });
  return reference;
}

function noteSource(reference: string, at: Pointer, { each, sources, sourceOf }: FillContext): void {
  const name = /^var\.([^.]*)/.exec(reference)?.[1];
  const source = name === undefined ? `item ${String(each?.key)} of \`forEach\`` : sourceOf(name);
  const text = `\${${reference}} of ${source}`;
  const before = sources.get(at);
  sources.set(at, before === undefined || before.includes(text) ? text : `${before}, ${text}`);
}

/** The value of `var.NAME`, `each.key` or `each.value`, or of a member of it: `var.plant.city`. */
function referredValue(reference: string, at: Pointer, filling: FillContext): unknown {
  const [scope, name = '', ...path] = reference.split('.');
  const found = scope === 'var' ? variableNamed(name, filling) : itemPart(name, reference, filling);
  if ('code' in found) return addFinding(found, reference, at, filling);
  let { value } = found;
  for (const [depth, key] of path.entries()) {
    if (!isObject(value) || !Object.hasOwn(value, key)) {
      const holder = [scope, name, ...path.slice(0, depth)].join('.');
      return addFinding(noMember(holder, key, value), reference, at, filling);
    }
    value = value[key];
  }
  noteSource(reference, at, filling);
  return value;
}

const noMember = (holder: string, key: string, value: unknown): ReferenceFinding =>
  isObject(value)
    ? withHint(
        { code: 'variable-member', message: `"\${${holder}}" has no member "${key}".` },
        nearestHint(key, Object.keys(value)),
      )
    : { code: 'variable-member', message: `"\${${holder}}" is ${typeName(value)} and has no members.` };

function itemPart(name: string, reference: string, { each }: FillContext): { value: unknown } | ReferenceFinding {
  if (each === undefined) {
    const message = `"\${${reference}}" has a value only in a manifest with \`forEach\`.`;
    return { code: 'each-outside', message, hint: FOR_EACH_HINT };
  }
  if (name === 'key' || name === 'value') return { value: each[name] };
  const hint =
    'An item of `forEach` has `${each.key}`, `${each.value}` and, where it is a map, `${each.value.MEMBER}`.';
  return { code: 'variable-syntax', message: `There is no "\${${reference}}".`, hint };
}

function variableNamed(name: string, { variables, used }: FillContext): { value: unknown } | ReferenceFinding {
  if (Object.hasOwn(variables, name)) {
    used.add(name);
    return { value: variables[name] };
  }
  const hint =
    nearestHint(name, Object.keys(variables)) ??
    'Set it under `variables` in sync.config.yaml, or with `--var NAME=VALUE` or `--var-file FILE`.';
  return { code: 'variable-unknown', message: `There is no variable "${name}".`, hint };
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

/** Reports variables with names that no reference can use, and values that contain references. */
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
  if (typeof value === 'string') return /\$\{(var|env|each)\./.test(value) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Record<string, Json>).flatMap(([key, entry]) =>
    referencesIn(entry, pointerTo(at, key)),
  );
}
