import { owned } from '../documented/documented.js';
import { familyAt } from '../documented/registry.js';
import type { Stated } from '../documented/status-changes.js';
import type { Family } from '../family/family.js';
import type { WriteRequest } from '../family/field.js';
import { findRecord } from '../family/records.js';
import { modificationTime, modifier } from '../family/stamp-fields.js';
import { sinceCreation } from '../family/traits.js';
import { createRecord } from '../family/write-record.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { text } from '../store/select.js';
import { items } from './items.js';
import { supplierItems } from './supplier-items.js';

type Entry = Stated & { readonly ownerGuid: string };

const EVIDENCE = ['NONE', 'DIRECT_FILES', 'AML_AND_FILES'];
const STATUSES = ['UNKNOWN', 'COMPLIANT', 'EXEMPT', 'NA', 'NON_COMPLIANT'];

/** The rules that requirements of items and of supplier items share (wire-facts 8.1). */
const compliance = (requirements: string, again: number) => ({
  ...{ one: 'a requirement', many: 'requirements', clearable: ['mark', 'rationale'] },
  ...{ links: { requirement: requirements }, unknown: { requirement: 3081 } },
  once: ['requirement', again] as const,
  fields: { lastModifiedBy: sinceCreation(modifier()), lastModifiedDateTime: sinceCreation(modificationTime()) },
  begin: ({ requirement, evidenceType, status }: Stated['fields'], { workspace }: WriteRequest) => {
    const { fields } = findRecord(workspace, familyAt(requirements), String(requirement)) as Stated;
    return { evidenceType: evidenceType ?? fields.defaultEvidenceType, status: status ?? 'UNKNOWN' };
  },
  check: <E extends Stated>(entry: E): E => {
    const { evidenceType, status } = entry.fields;
    if (!EVIDENCE.includes(String(evidenceType))) throw refusal(3082, `"${evidenceType}" is no type of evidence.`);
    if (!STATUSES.includes(String(status))) throw refusal(3083, `"${status}" is no status of compliance.`);
    return entry;
  },
});

/** What supplier items comply with. */
export const supplierItemCompliance = owned(
  supplierItems,
  'compliance',
  compliance('/settings/supplieritems/requirements', 3286),
);

/**
 * What items comply with. The status of an entry is the worst one below it (interface 3.2), and a requirement that is
 * propagated is one of all items of the BOM, each with a status of its own. INFERRED: it stays one of those that leave
 * the BOM, but can be removed then.
 */
export const itemCompliance: Family = owned(items, 'compliance', {
  ...compliance('/settings/items/requirements', 3285),
  shows: {
    status: (status, entry, { workspace }) => worstOf([String(status), ...statusesBelow(entry as Entry, workspace)]),
    propagated: (_, entry, { workspace }) => isPropagated(entry as Entry, workspace),
  },
  after: (entry, writing) => propagate(entry, writing),
  refuseDelete: (entry, workspace) => {
    if (isPropagated(entry, workspace)) throw refusal(3287, 'The requirement comes from an assembly of the item.');
  },
});

/** The worst of statuses; exempt ones, and those that a requirement does not apply to, are not compared. */
function worstOf([own = '', ...below]: readonly string[]): string {
  if (own === 'EXEMPT' || own === 'NA') return own;
  return ['NON_COMPLIANT', 'UNKNOWN'].find((status) => own === status || below.includes(status)) ?? own;
}

/**
 * The statuses of a requirement in the BOM, and those of approved sources, of the item and of all below it, where files
 * of the sources are evidence. Requirements of supplier items are those with the same name.
 */
const BELOW = `
  WITH RECURSIVE below (guid) AS (SELECT ?1 UNION SELECT b.child FROM bom_lines b JOIN below ON b.parent = below.guid),
  entries AS (SELECT c.* FROM items_compliance c JOIN below ON c.owner = below.guid WHERE c.fields ->> '$.requirement' = ?2)
  SELECT fields ->> '$.status' AS status FROM entries WHERE owner <> ?1
  UNION SELECT c.fields ->> '$.status' FROM entries e
    JOIN item_sourcing s ON s.item = e.owner
    LEFT JOIN approval_statuses a ON a.guid = s.approval_status
    JOIN supplieritems_compliance c ON c.owner IN (s.supplier_item, s.fields ->> '$.mfrItem', s.fields ->> '$.vendorItem')
    JOIN settings_supplieritems_requirements r ON r.guid = c.fields ->> '$.requirement'
    JOIN settings_items_requirements i ON i.guid = ?2 AND i.fields ->> '$.name' = r.fields ->> '$.name'
  WHERE e.fields ->> '$.evidenceType' = 'AML_AND_FILES' AND coalesce(s.fields ->> '$.approved', a.name = 'Approved')`;

const statusesBelow = ({ ownerGuid, fields }: Entry, { settings }: Workspace): string[] =>
  settings.all(BELOW, ownerGuid, String(fields.requirement)).map((row) => text(row, 'status'));

const PROPAGATES = `SELECT 1 FROM settings_items_requirements WHERE guid = ? AND fields ->> '$.propagate' = 1`;

function isPropagated({ ownerGuid, fields }: Entry, { settings }: Workspace): boolean {
  const requirement = String(fields.requirement);
  const above = `SELECT 1 FROM bom_lines b JOIN items_compliance c ON c.owner = b.parent
    WHERE b.child = ? AND c.fields ->> '$.requirement' = ?`;
  return (
    settings.get(above, ownerGuid, requirement) !== undefined && settings.get(PROPAGATES, requirement) !== undefined
  );
}

function propagate({ ownerGuid, fields }: Entry, writing: WriteRequest): void {
  const { settings } = writing.workspace;
  const requirement = String(fields.requirement);
  if (settings.get(PROPAGATES, requirement) === undefined) return;
  const has = `SELECT 1 FROM items_compliance WHERE owner = ? AND fields ->> '$.requirement' = ?`;
  for (const row of settings.all('SELECT DISTINCT child FROM bom_lines WHERE parent = ?', ownerGuid)) {
    const owner = text(row, 'child');
    if (settings.get(has, owner, requirement) !== undefined) continue;
    createRecord(itemCompliance, { ...writing, owner, body: { requirement: { guid: requirement } } });
  }
}
