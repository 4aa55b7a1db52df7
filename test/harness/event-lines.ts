import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type Json } from '#core/model/json.js';

let compiled: ValidateFunction | undefined;

/**
 * Why a line of `--json` is not as `schema/events.json` says, closed against members that it does not name; null where it is.
 */
export function mistakesInLine(line: unknown): unknown {
  compiled ??= new Ajv({ strict: false, discriminator: true }).compile(
    closed(JSON.parse(readFileSync('schema/events.json', 'utf8'))) as object,
  );
  return compiled(line) ? null : { type: (line as { type: string }).type, errors: compiled.errors };
}

/** What the published schema leaves open for later versions is an error here; plans have a schema and tests of their own. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isObject(schema)) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'plan' ? value : closed(value)]),
  );
  const isOpen = inner.additionalProperties !== undefined || typeof inner.properties !== 'object';
  return isOpen ? inner : { ...inner, additionalProperties: false };
}
