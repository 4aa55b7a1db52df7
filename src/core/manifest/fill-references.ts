import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import type { Document, Origins } from '../model/document.js';
import { isObject } from '../model/json.js';
import { type Pointer, pointerTo } from '../model/pointer.js';
import { FOR_EACH_HINT, type Item } from './for-each.js';
import { filledOrigins } from './layered-origins.js';
import { ABSENT, type RowScope, readCell, unlessEmpty } from './row-scope.js';
import { typeName } from './type-name.js';

/** The values of variables by name, for `${var.NAME}`. */
export type VariableValues = Readonly<Record<string, unknown>>;

/** What the references of one document lead to, and what was found while they were filled in. */
export interface FillContext {
  readonly variables: VariableValues;
  readonly used: Set<string>;
  readonly origins: Origins;
  readonly found: Diagnostic[];
  readonly sourceOf: (name: string) => string;
  /** The source of each value that was filled in. */
  readonly sources: Map<Pointer, string>;
  /** The item of this copy of a document with `forEach`. */
  readonly each?: Item;
  /** The row of this copy of a manifest of rows. */
  readonly row?: RowScope;
}

/** `$${` (a literal `${`), `${…}`, or an unclosed `${`. */
const REFERENCE = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;

/** The beginning of a reference to a value, or of one that is refused. */
export const VALUE_REFERENCE = /\$\{(var|env|each|row)\./;

/** Whether a text may contain references; if not, its values need no check. */
export const holdsReferences = (text: string): boolean => text.includes('${');

/** Fills in the references of a whole document. */
export function filledDocument(value: unknown, filling: FillContext): Document {
  const { origins, sources } = filling;
  return { value: fill(value, '', filling), origins: filledOrigins(origins, sources) };
}

/** Fills in the references of a value. What comes from empty cells alone is left out of maps, and ABSENT in lists. */
export function fill(value: unknown, at: Pointer, filling: FillContext): unknown {
  if (typeof value === 'string') return holdsReferences(value) ? fillText(value, at, filling) : value;
  if (Array.isArray(value)) {
    return value.map((entry, index) => unlessEmpty(filling.row, () => fill(entry, pointerTo(at, index), filling)));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, entry]) => {
    const here = pointerTo(at, key);
    if (VALUE_REFERENCE.test(key)) filling.found.push(referenceInKey(key, filling.origins, here));
    const filled = fill(entry, here, filling);
    return filled === ABSENT ? [] : [[key, filled]];
  });
  return members.length === 0 && Object.keys(value).length > 0 ? ABSENT : Object.fromEntries(members);
}

/** A text that is exactly one reference becomes the referenced value, of any type. */
function fillText(text: string, at: Pointer, filling: FillContext): unknown {
  const whole = /^\$\{((?:var|each|row)\.[^{}]*)\}$/.exec(text)?.[1];
  return unlessEmpty(filling.row, () =>
    whole === undefined ? fillParts(text, at, filling) : referredValue(whole, at, filling),
  );
}

function fillParts(text: string, at: Pointer, filling: FillContext): string {
  const empty = filling.row?.counts.empty;
  const filled = text.replaceAll(REFERENCE, (reference: string, inner: string | undefined) => {
    if (reference === '$${') return '${';
    if (inner === undefined || !/^(var|each|row)\./.test(inner))
      return addFinding(badReference(reference, inner), reference, at, filling);
    const value = referredValue(inner, at, filling);
    if (isText(value)) return String(value);
    const message = `"${reference}" is ${typeName(value)}, which cannot be part of a longer text.`;
    const member = isObject(value) ? ` \`${reference.slice(0, -1)}.MEMBER}\` is a member of the map.` : '';
    const hint = `Only text, numbers, true and false can. Write \`${reference}\` alone to keep the value's type.${member}`;
    return addFinding({ code: 'variable-value', message, hint }, reference, at, filling);
  });
  return filling.row?.counts.empty === empty ? filled : filled.trim();
}

/** A finding about a reference. */
export type ReferenceFinding = Pick<Diagnostic, 'code' | 'message' | 'hint'>;

/** Adds an error at a place, and returns the reference. */
export function addFinding(
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

/** The value of `var.NAME`, `each.key` or `each.value`, or of a member of it: `var.plant.city`; or that of a cell. */
function referredValue(reference: string, at: Pointer, filling: FillContext): unknown {
  if (reference.startsWith('row.')) return cellValue(reference, at, filling);
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

function cellValue(reference: string, at: Pointer, filling: FillContext): unknown {
  const { row, sources } = filling;
  if (row === undefined) {
    const message = `"\${${reference}}" has a value only in a manifest of rows.`;
    const hint = 'Add `forEach: { file: FILE }` beside `kind:`; each row of the file is then read.';
    return addFinding({ code: 'row-outside', message, hint }, reference, at, filling);
  }
  const found = readCell(row, reference.slice('row.'.length), at);
  if ('code' in found) return addFinding(found, reference, at, filling);
  if (row.filledBy !== undefined) sources.set(at, row.filledBy);
  return found.value;
}

const noMember = (holder: string, key: string, value: unknown): ReferenceFinding =>
  isObject(value)
    ? withHint(
        { code: 'variable-member', message: `"\${${holder}}" has no member "${key}".` },
        nearestHint(key, Object.keys(value)),
      )
    : { code: 'variable-member', message: `"\${${holder}}" is ${typeName(value)} and has no members.` };

function itemPart(name: string, reference: string, { each, row }: FillContext): { value: unknown } | ReferenceFinding {
  if (row !== undefined) {
    const message = `"\${${reference}}" has no value in a manifest of rows.`;
    return { code: 'each-outside', message, hint: 'Write `${row.COLUMN}` for a cell.' };
  }
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
