import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { attribute } from '#core/lookups/attribute.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import type { ImportFacts } from '#core/model/partial-imports.js';
import { worldOf } from '#core/model/worlds.js';

/** The identities of custom attributes by world and name, such as `ITEMS:Finish`. */
type FilledAttributes = NonNullable<ImportFacts['attributes']>;

/** The custom attributes that rows of a definition fill, as far as the workspace was read. */
export function filledAttributes(
  { options }: Pick<ImportDefinitionSpec, 'options'>,
  { lookupFacts }: Observation,
): FilledAttributes {
  const entries = (options?.mapping ?? []).flatMap(({ resource, attribute: name }): [string, LiveIdentity][] => {
    if (name === undefined) return [];
    const world = worldOf(resource);
    const { identity } = lookupFacts?.get(lookupKey(attribute.name, world))?.get(name.toLowerCase()) ?? {};
    return typeof identity === 'string' ? [[`${world}:${name}`, identity]] : [];
  });
  return Object.fromEntries(entries);
}

/** The names of attributes that others have replaced since: with the old ones, their values were deleted. */
export const emptiedAttributes = (before: FilledAttributes = {}, now: FilledAttributes): readonly string[] =>
  Object.entries(before).flatMap(([key, identity]) =>
    now[key] === undefined || now[key] === identity ? [] : [key.slice(key.indexOf(':') + 1)],
  );
