import type { ErrorObject } from 'ajv';
import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import { excerpt, quoted } from '#base/printable.js';
import type { Origins } from '../model/document.js';
import { traitsOf } from '../model/fields.js';
import { type Json, withoutNulls } from '../model/json.js';
import { dottedPath, type Pointer, pointerTo, valueAt } from '../model/pointer.js';
import { validatorOf } from '../validator.js';
import { TYPE_NAMES, type TypeName } from './type-name.js';

/** The subject of a check: its schema, its pointer in the document, and its name in messages. */
export interface Subject {
  readonly schema: object;
  readonly base: Pointer;
  readonly origins: Origins;
  /** `UserGroup/Quality`, or the name of a file. */
  readonly name: string;
}

/** Reports all mismatches between a value and its schema. `null` clears a field and is accepted if that is optional. */
export function checkSchema(value: unknown, subject: Subject): Diagnostic[] {
  const validate = validatorOf('findings', subject.schema);
  if (validate(holdsNull(value) ? withoutNulls(value) : value)) return [];
  return errorsOutsideBranches(validate.errors as ErrorObject[]).map((error) => errorDiagnostic(error, value, subject));
}

const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(holdsNull));

/** Drops the errors of a union's branches: only the error of the union itself is useful to the user. */
function errorsOutsideBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf');
  const isBranch = ({ schemaPath }: ErrorObject): boolean =>
    unions.some((union) => schemaPath.startsWith(`${union.schemaPath}/`));
  return errors.filter((error) => !isBranch(error));
}

function errorDiagnostic(error: ErrorObject, whole: unknown, { base, origins, name }: Subject): Diagnostic {
  const at = (pointer: Pointer): Pointer => `${base}${pointer}`;
  const { instancePath, keyword } = error;
  const finding = (code: string, message: string, pointer: Pointer, hint?: string): Diagnostic => {
    const origin = keyword === 'additionalProperties' ? origins.key(at(pointer)) : origins.value(at(pointer));
    return withHint({ severity: 'error', code, message: `${name} ${message}`, origin }, hint);
  };
  const place = dottedPath(instancePath);
  if (keyword === 'additionalProperties') {
    const field = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema as { properties: object }).properties);
    return finding(
      'field-unknown',
      `has no field "${fieldPath(place, field)}".`,
      pointerTo(instancePath, field),
      nearestHint(field, known),
    );
  }
  if (keyword === 'required') {
    const field = String(error.params.missingProperty);
    const pointer = pointerTo(instancePath, field);
    if (valueAt(whole as Json, pointer) === null) {
      return finding(
        'field-required',
        `cannot clear "${fieldPath(place, field)}": the field is required.`,
        pointer,
        EMPTY_HINT,
      );
    }
    return finding('field-missing', `needs the field "${fieldPath(place, field)}".`, instancePath);
  }
  return finding(
    'value-invalid',
    `has an invalid value${place === '' ? '' : ` in "${place}"`}: ${expectation(error)}`,
    instancePath,
    valueHint(error),
  );
}

const EMPTY_HINT = 'Give it a value. If the value is on the lines below, indent them.';

const fieldPath = (place: string, field: string): string => (place === '' ? field : `${place}.${field}`);

const typeNames = (type: string | readonly string[]): string =>
  [type]
    .flat()
    .map((name) => TYPE_NAMES[name as TypeName])
    .join(' or ');

function expectation(error: ErrorObject): string {
  const { keyword, params, data, parentSchema } = error;
  const given = excerpt(quoted(data));
  switch (keyword) {
    case 'type':
      return `expected ${typeText(error)}, got ${given}.`;
    case 'const':
      return `expected ${excerpt(quoted(params.allowedValue))}, got ${given}.`;
    case 'enum':
      return `expected ${listText(params.allowedValues, ' or ')}, got ${given}.`;
    case 'minLength':
    case 'minItems':
      return 'it must not be empty.';
    case 'minimum':
      return `expected ${rangeText(parentSchema) ?? `at least ${params.limit}`}, got ${given}.`;
    case 'maximum':
      return `expected ${rangeText(parentSchema) ?? `at most ${params.limit}`}, got ${given}.`;
    case 'uniqueItems':
      return `entries ${params.i + 1} and ${params.j + 1} are the same.`;
    case 'oneOf':
      return `expected exactly one of ${alternativesText(parentSchema)}.`;
    case 'anyOf':
      return `expected ${branchesText((parentSchema as { anyOf: Branch[] }).anyOf)}, got ${given}.`;
    case 'pattern':
      return `expected ${formText(parentSchema)}, got ${given}.`;
    default:
      return `expected ${keyword}, got ${given}.`;
  }
}

interface Bounds {
  readonly type: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly description?: string;
}

/** Names the type of a value, or of a text its form unless quotes alone would do. */
function typeText(error: ErrorObject): string {
  const { pattern, description } = error.parentSchema as Bounds;
  if (pattern !== undefined && description !== undefined && !needsQuotes(error)) return formText(error.parentSchema);
  return rangeText(error.parentSchema) ?? typeNames(error.params.type);
}

/** Whether YAML read a text as something else that would be a valid one in quotes. */
function needsQuotes({ data, parentSchema }: ErrorObject): boolean {
  const { pattern = '' } = parentSchema as Bounds;
  return (typeof data === 'number' || typeof data === 'boolean') && new RegExp(pattern).test(String(data));
}

/** Names a number between two bounds; undefined if it has not both. */
function rangeText(schema: object | undefined): string | undefined {
  const { type, minimum, maximum } = schema as Bounds;
  return minimum === undefined || maximum === undefined
    ? undefined
    : `${typeNames(type)} from ${minimum} to ${maximum}`;
}

interface Branch {
  readonly type: string;
  readonly const?: string;
  readonly description?: string;
  readonly items?: { readonly anyOf?: unknown };
}

/** Names the branches of a union; a list branch accepts entries of the other branches. */
function branchesText(anyOf: readonly Branch[]): string {
  const names = anyOf.map(
    ({ type, const: value, description, items }) =>
      description ?? value ?? (items?.anyOf === undefined ? typeNames(type) : 'a list of these'),
  );
  return listText(names, ', or ');
}

/** Describes a text's form: that of an open enumeration, or the first sentence of another pattern's description. */
function formText(schema: object | undefined): string {
  const { known } = traitsOf(schema);
  if (known !== undefined) return `a value in upper case such as ${listText(known.slice(0, 3), ' or ')}`;
  const form = String((schema as { description?: string }).description).replace(/\.( .*)?$/s, '');
  return form.charAt(0).toLowerCase() + form.slice(1);
}

/** Joins names: `a or b`; more than two with `last` before the last one. */
const listText = (names: readonly string[], last: string): string =>
  names.length < 3 ? names.join(' or ') : `${names.slice(0, -1).join(', ')}${last}${names.at(-1)}`;

const alternativesText = (schema: unknown): string =>
  (schema as { oneOf: { required: string[] }[] }).oneOf.map(({ required }) => `"${required[0]}"`).join(' and ');

/** A hint for the words that YAML 1.1 read as true or false. */
function booleanHint(data: unknown): string | undefined {
  if (typeof data !== 'string') return undefined;
  const meant = /^(yes|y|on|true)$/i.test(data) ? 'true' : /^(no|n|off|false)$/i.test(data) ? 'false' : undefined;
  return meant && `In YAML 1.2, \`${data}\` is text: write \`${meant}\`.`;
}

/** A hint that shows plain words as the list that was probably meant. */
const listHint = (value: unknown): string | undefined =>
  /string|number/.test(typeof value) && /^[\w@. ,%-]{1,60}$/.test(String(value))
    ? `Write a list: [${value}].`
    : undefined;

function valueHint(error: ErrorObject): string | undefined {
  const { keyword, params, data, parentSchema } = error;
  const isText = keyword === 'type' && [params.type].flat().includes('string');
  if (isText && needsQuotes(error))
    return `YAML reads this as ${typeof data === 'number' ? 'a number' : 'true or false'}; put it in quotes to make it text.`;
  if (keyword === 'type' && [params.type].flat().includes('boolean')) return booleanHint(data);
  if (keyword === 'type' && params.type === 'array') return listHint(data);
  if (keyword === 'enum') return nearestHint(String(data), params.allowedValues);
  if (keyword !== 'pattern') return undefined;
  const { known } = traitsOf(parentSchema);
  return known === undefined ? undefined : nearestHint(String(data), known);
}
