import { type JsonObject, textsIn } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { Write } from '../model/plan.js';

/** The object first, then its children one by one. */
export function createWrites(kind: Kind, spec: JsonObject): Write[] {
  const own = Object.fromEntries(Object.entries(spec).filter(([field]) => !(field in kind.children)));
  const children = Object.keys(kind.children).flatMap((field) =>
    textsIn(spec[field]).map((name): Write => ({ verb: 'addChild', field, name })),
  );
  return [{ verb: 'create', spec: own }, ...children];
}
