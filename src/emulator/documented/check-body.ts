import type { TSchema } from '../routes/type.js';
import { type ErrorDetail, refuse, ServiceError } from '../rules/service-error.js';

/** The parts of a JSON schema that bodies of the description have. */
export interface BodySchema {
  readonly type?: string;
  readonly anyOf?: readonly BodySchema[];
  readonly items?: BodySchema;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
}

/**
 * Refuses a body that does not fit its schema, with the codes of wire-facts 2.1: 3001 for a missing attribute, 3004 for
 * an unknown one, 3003 for a wrong type. A compiled validator for each body would make the program a tenth larger.
 */
export function checkBody(schema: TSchema | undefined, body: unknown): void {
  if (schema === undefined) return;
  if (!isObject(body)) throw refuse.malformed('its body is missing or of the wrong type.');
  const [first, ...others] = problemsOf(schema as BodySchema, body, '');
  if (first !== undefined) throw new ServiceError(first, ...others);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function problemsOf(
  { anyOf, type, items, properties, required = [] }: BodySchema,
  value: unknown,
  name: string,
): readonly ErrorDetail[] {
  if (anyOf !== undefined) {
    const found = anyOf.map((schema) => problemsOf(schema, value, name));
    return found.find((problems) => problems.length === 0) ?? found[0] ?? [];
  }
  if (type !== undefined && !isOfType(value, type)) return refuse.invalid(name, `it must be ${type}.`).details;
  if (Array.isArray(value)) return value.flatMap((entry, index) => problemsOf(items ?? {}, entry, `${name}[${index}]`));
  if (properties === undefined || !isObject(value)) return [];
  const at = (key: string): string => (name === '' ? key : `${name}.${key}`);
  return [
    ...required.filter((key) => !(key in value)).flatMap((key) => refuse.required(at(key)).details),
    ...Object.entries(value).flatMap(([key, inner]) => {
      const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return own === undefined ? refuse.unrecognized(at(key)).details : problemsOf(own, inner, at(key));
    }),
  ];
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
