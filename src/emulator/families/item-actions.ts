import { type Asked, type Described, described } from '../documented/described.js';
import type { StoredRecord, WriteRequest } from '../family/field.js';
import { entryGuid, findRow } from '../family/records.js';
import { linksTo } from '../routes/schemas.js';
import { changePhase } from '../rules/release-item.js';
import { refuse } from '../rules/service-error.js';
import {
  type BomSettings,
  findRevision,
  readBomSettings,
  SUPERSEDED,
  writeBomSettings,
} from '../store/item-revisions.js';
import { items } from './items.js';
import { refuseEdit } from './write-as-row.js';

const SETTINGS = '/items/{guid}/bom/settings';

/** What requests do with items besides reading and writing them. */
export const itemActions: readonly Described[] = [
  described('POST /items/lifecyclephasechanges', 'Change the lifecycle phase of an item', changeLifecyclePhase),
  described(`GET ${SETTINGS}`, 'Get the settings of the BOM of an item', ({ workspace, params }) =>
    readBomSettings(workspace.settings, entryGuid(items, findRow(workspace, items, params.guid))),
  ),
  described(`PUT ${SETTINGS}`, 'Change the settings of the BOM of an item', changeSettings),
];

function changeLifecyclePhase(writing: WriteRequest): Readonly<Record<string, unknown>> {
  const { workspace, body } = writing;
  const { guid } = body.item as StoredRecord;
  const row = findRow(workspace, items, guid);
  if (findRevision(workspace.settings, guid)?.status === SUPERSEDED) throw refuse.guid(guid);
  const revisionAt = (revision: string | null) =>
    revision === null ? null : { guid: revision, url: linksTo(workspace, `/items/${revision}`) };
  const { effective, superseded, working } = changePhase(writing, { guid, item: entryGuid(items, row) });
  return {
    effectiveRevItem: revisionAt(effective),
    supersededRevItem: revisionAt(superseded),
    workingRevItem: revisionAt(working),
  };
}

function changeSettings({ workspace, params: { guid }, body }: Asked): BomSettings {
  refuseEdit(findRow(workspace, items, guid));
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const changed = { ...readBomSettings(workspace.settings, guid), ...given } as BomSettings;
  writeBomSettings(workspace.settings, guid, changed);
  return changed;
}
