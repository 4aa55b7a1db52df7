import { owned } from '../documented/documented.js';
import type { Family } from '../family/family.js';
import type { FieldFactory, WriteRequest } from '../family/field.js';
import { entryGuid, findRow } from '../family/records.js';
import { plainText } from '../family/text-fields.js';
import { Type } from '../routes/type.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { effectiveRevision, findRevision, SUPERSEDED } from '../store/item-revisions.js';
import { items } from './items.js';
import { lifecyclePhases } from './lifecycle-phases.js';

const REFERENCES = 'item_references';

/** The other item of a reference, which is shown by its effective revision. */
const otherItem: FieldFactory<string> = (name) => ({
  ...plainText({ declaration: 'TEXT NOT NULL REFERENCES items (guid) ON DELETE CASCADE' })(name),
  answer: Type.Object({ guid: Type.String() }),
  given: {
    schema: Type.Object({ guid: Type.String() }, { additionalProperties: false }),
    parse: (value, workspace) => {
      const { guid } = value as { readonly guid: string };
      const row = findRow(workspace, items, guid);
      refuseUnreleased(workspace, guid);
      return entryGuid(items, row);
    },
  },
  show: ({ item }, { workspace }) => {
    const guid = String(item);
    return { guid: effectiveRevision(workspace.settings, guid)?.guid ?? guid };
  },
});

/** Refuses all but the working or effective revision of an item that was released (3277, 3278). */
function refuseUnreleased(workspace: Workspace, guid: string): void {
  if (findRevision(workspace.settings, guid)?.status === SUPERSEDED) {
    throw refusal(3277, 'References take the working or the effective revision of an item.');
  }
  if (!isReleased(workspace, guid)) throw refusal(3278, 'References take items that were released.');
}

/** Whether an item was released, by a change of its phase or by an import. */
export function isReleased(workspace: Workspace, guid: string): boolean {
  if (findRevision(workspace.settings, guid) ?? effectiveRevision(workspace.settings, guid)) return true;
  const sql = `SELECT 1 FROM items i JOIN ${lifecyclePhases.table} p ON p.guid = i.phase
    WHERE i.guid = ? AND p.stage <> 'UNRELEASED'`;
  return workspace.settings.get(sql, guid) !== undefined;
}

/** References between items, which belong to both of them and to no revision (wire-facts 8.1). */
export const itemReferences: Family = owned(items, 'items', {
  one: 'a reference',
  many: 'references',
  table: REFERENCES,
  clearable: ['note'],
  fields: { item: otherItem },
  shows: { notes: (_, record) => (record as unknown as Reference).fields.note },
  sources: Object.fromEntries(
    ['list', 'get'].map((verb) => [
      verb,
      `(SELECT seq, guid, owner, item, fields FROM ${REFERENCES}
        UNION ALL SELECT seq, guid, item, owner, fields FROM ${REFERENCES})`,
    ]),
  ),
  check: (reference, { workspace, owner }: WriteRequest) => {
    const { item, ownerGuid, guid } = reference as typeof reference & { readonly item: string };
    if (item === ownerGuid) throw refusal(3276, 'An item cannot refer to itself.');
    if (owner !== undefined) refuseUnreleased(workspace, owner);
    // An update may come from the other end, where the two items are exchanged.
    const stored = workspace.settings.get(`SELECT item FROM ${REFERENCES} WHERE guid = ?`, guid);
    return { ...reference, item: String(stored?.item ?? item) };
  },
});

interface Reference {
  readonly fields: { readonly note?: string };
}
