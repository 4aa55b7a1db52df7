import type { TObject } from 'typebox';
import type { CheckedKindName } from '../../model/checked-kinds.js';
import { type JsonObject, pickValues } from '../../model/json.js';
import type { Kind } from '../../model/kind.js';
import { type DefinedParts, defineKind } from '../define-kind.js';

/** The definition of a checked kind. */
interface CheckedDefinition<S extends TObject>
  extends Pick<DefinedParts<S>, 'summary' | 'schema' | 'fromWire' | 'outputs'>,
    Pick<Kind, 'collection' | 'entry'> {
  readonly name: CheckedKindName;
}

/**
 * Defines a kind that the service shows and never writes: plans compare it, and a difference is a manual step. Without
 * `fromWire`, spec and entry have the same fields; an entry without a value lacks the field.
 */
export function checkKind<S extends TObject>(definition: CheckedDefinition<S>): Kind {
  const { entry = (body: JsonObject) => body } = definition;
  const fields = Object.keys(definition.schema.properties);
  const fromWire = (body: JsonObject): JsonObject => pickValues(body, fields);
  const kind = defineKind({ fromWire, ...definition } as CheckedDefinition<TObject>);
  return { ...kind, entry };
}
