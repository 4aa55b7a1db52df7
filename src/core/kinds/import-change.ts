import { omitUndefined } from '#base/omit-undefined.js';
import { isLikelyGuid } from '../model/attribute-reference.js';
import { object, openEnum, ref, set } from '../model/fields.js';
import { isObject, type Json, type JsonObject, onlyObject, onlyObjectsIn } from '../model/json.js';
import { deadReference, type NameContext, type SpecFinding, type WireContext } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';

const CHANGES = 'CHANGES';

/** The schema of the change that an import creates (wire-facts 8.5). */
export const newChange = object(
  {
    category: ref('Category', { partition: CHANGES, description: 'Category of the change.' }),
    effectivityType: openEnum(['PERMANENT_ON_APPROVAL', 'PERMANENT_ON_DATE', 'TEMPORARY'], {
      description: 'When the change takes effect.',
    }),
    effectivityPlannedDateTime: Type.Optional(Type.String({ description: 'Its date, for PERMANENT_ON_DATE.' })),
    expirationDateTime: Type.Optional(Type.String({ description: 'Its end, for TEMPORARY.' })),
    numberPrefix: Type.String({ minLength: 1, description: 'Prefix of its number, such as ECO-.' }),
    title: Type.Optional(Type.String({ description: 'Its title.' })),
    description: Type.Optional(Type.String({ description: 'Free text.' })),
    routings: Type.Optional(set(ref('Routing'), { description: 'Who approves it.' })),
  },
  { description: 'The change that each committed run creates for its items, instead of `addToChange`.' },
);

type NewChange = Static<typeof newChange>;

interface ChangeOptions {
  readonly addToChange?: string;
  readonly newChange?: NewChange;
}

/** Reports a change that is named twice, or by a GUID, which belongs to one workspace. */
export function changeFindings(given: ChangeOptions | undefined): SpecFinding[] {
  const pointer = '/options/addToChange';
  if (!given?.addToChange) return [];
  if (given.newChange) {
    const message = 'has both "addToChange" and "newChange".';
    return [{ code: 'change-named-twice', pointer, message, hint: 'Keep the one that the import should use.' }];
  }
  if (!isLikelyGuid(given.addToChange)) return [];
  const message = `has the change "${given.addToChange}", which looks like a GUID.`;
  return [{ severity: 'warning', code: 'guid-in-manifest', pointer, message, hint: 'Write the number of the change.' }];
}

/** On the wire, `addToChange` is a number, or the body that creates a change (wire-facts 4). */
export function changeToWire(
  { category, numberPrefix, routings, ...rest }: NewChange,
  context: WireContext,
): JsonObject {
  const asReference = (guid: string) => ({ guid });
  return {
    ...rest,
    category: asReference(context.guidOf('Category', category, CHANGES)),
    numberSequencePrefix: { value: numberPrefix },
    ...(routings && { routings: routings.map((name) => asReference(context.guidOf('Routing', name))) }),
  };
}

/** Reads the option that names a change, or describes a new one. */
export function changeOptionFromWire(option: Json | undefined, context: NameContext): ChangeOptions {
  if (!isObject(option)) return omitUndefined({ addToChange: option }) as ChangeOptions;
  const { category, numberSequencePrefix, routings, ...rest } = option;
  const nameIn = (kind: string, { guid }: JsonObject, partition?: string): string =>
    context.nameOf(kind, String(guid), partition) ?? deadReference(kind);
  const read: JsonObject = {
    ...rest,
    ...(isObject(category) && { category: nameIn('Category', category, CHANGES) }),
    ...omitUndefined({ numberPrefix: onlyObject(numberSequencePrefix)?.value }),
    ...(routings && { routings: onlyObjectsIn(routings).map((one) => nameIn('Routing', one)) }),
  };
  return { newChange: read as unknown as NewChange };
}
