import { DexsyncError } from '#base/errors.js';
import type { Json } from '#core/model/json.js';

/** One `-f` or `-F`: a name such as `options.mapping[].apiName`, and a value; `name[]` alone is an empty list. */
export interface RequestField {
  readonly name: string;
  readonly value?: Json;
}

type Tree = { [key: string]: Branch };
type Branch = Json | Tree | Branch[];

/**
 * Combines fields into one body: dots and `[key]` nest, `[]` appends. A new list entry begins if the last one has that
 * field. Throws USAGE for an invalid name, and for fields that conflict.
 */
export function buildBody(fields: readonly RequestField[]): Json {
  const root: Tree = {};
  for (const { name, value } of fields) put(root, stepsOf(name), value, name);
  return root as Json;
}

/** A step into a map, or the place behind the last entry of a list. */
type FieldStep = { readonly key: string } | 'append';

function stepsOf(name: string): FieldStep[] {
  const parts = [...name.matchAll(/\.?([^.[\]]+)|\[([^[\]]*)\]/gy)];
  const whole = parts.map(([text]) => text).join('');
  const steps = parts.map(([, plain, bracketed]): FieldStep => {
    const key = plain ?? bracketed ?? '';
    return key === '' ? 'append' : { key };
  });
  const [first] = steps;
  if (whole !== name || name.startsWith('.') || first === undefined || first === 'append') {
    throw invalidField(
      `"${name}" is not a valid field name.`,
      'Write it like `name`, `options.mode`, `members[]` or `mapping[].apiName`.',
    );
  }
  if (steps.some((step) => step !== 'append' && step.key === '__proto__')) {
    throw invalidField(`"${name}" is not a valid field name.`, 'The key "__proto__" is not allowed.');
  }
  return steps;
}

function put(target: Tree, [step, ...rest]: readonly FieldStep[], value: Json | undefined, name: string): void {
  if (step === undefined || step === 'append') throw fieldConflict(name);
  const { key } = step;
  const old = target[key];
  const [next, ...further] = rest;
  if (next === undefined) {
    if (old !== undefined) throw fieldConflict(name);
    target[key] = value ?? null;
  } else if (next === 'append') {
    const list = old ?? [];
    if (!Array.isArray(list)) throw fieldConflict(name);
    target[key] = list;
    append(list as Branch[], further, value, name);
  } else {
    const inner = old ?? {};
    if (!isTree(inner)) throw fieldConflict(name);
    target[key] = inner;
    put(inner, rest, value, name);
  }
}

function append(list: Branch[], rest: readonly FieldStep[], value: Json | undefined, name: string): void {
  if (rest.length === 0) {
    if (value !== undefined) list.push(value);
    return;
  }
  const last = list.at(-1);
  const open = isTree(last) && !isSet(last, rest) ? last : undefined;
  const entry = open ?? {};
  if (open === undefined) list.push(entry);
  put(entry, rest, value, name);
}

/** Whether all of these steps lead to a value; a list that can be appended to never counts. */
function isSet(tree: Tree, [step, ...rest]: readonly FieldStep[]): boolean {
  if (step === undefined || step === 'append') return false;
  const at = tree[step.key];
  if (rest.length === 0 || at === undefined) return at !== undefined;
  return isTree(at) && isSet(at, rest);
}

const isTree = (value: Branch | undefined): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts fields to a query, with their names as written: anything but a single value is sent as an empty text. */
export const buildQuery = (fields: readonly RequestField[]): [string, string][] =>
  fields.map(({ name, value }) => [name, typeof value === 'object' || value === undefined ? '' : String(value)]);

/**
 * Converts a text of `-F` if it is `true`, `false`, `null` or a JSON number. Throws USAGE for a number that is too
 * large to be exact.
 */
export function typedValue(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text;
  const value = Number(text);
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value;
  throw invalidField(`${text} is too large for a JSON number.`, 'Send it as text with `-f`.');
}

const fieldConflict = (name: string): DexsyncError =>
  invalidField(
    `The field "${name}" conflicts with an earlier field.`,
    'A field is either a value, a list or a map, and can be given only once.',
  );

const invalidField = (message: string, hint: string): DexsyncError => new DexsyncError('USAGE', message, { hint });
