import { type LifecyclePhase, lifecyclePhases } from '../families/lifecycle-phases.js';
import { writeAsRow } from '../families/write-as-row.js';
import type { WriteRequest } from '../family/field.js';
import { findRecord } from '../family/records.js';
import { ALL_LINES, effectiveRevision, insertRevision, revisionNumbers } from '../store/item-revisions.js';
import { zulu } from './date-times.js';
import { refusal } from './service-error.js';
import type { Workspace } from './workspace.js';

/** What makes a new revision of an item effective. */
interface Release {
  readonly item: string;
  /** The revision whose specs and BOM it takes: the item itself, or its effective revision. */
  readonly from: string;
  readonly phase: LifecyclePhase;
  /** Its number; by default, the next one of the sequence. */
  readonly revision?: string | null | undefined;
  readonly notes?: string | null;
  /** The change as lists of revisions show it, if one makes it effective. */
  readonly change?: object;
}

/** The GUIDs of an item's revisions after a release. */
interface Released {
  readonly effective: string;
  readonly superseded: string | null;
  readonly working: string;
}

/** Makes a new revision of an item effective; the item goes on as its working revision, in the same phase. */
export function releaseItem(writing: WriteRequest, release: Release): Released {
  const { settings, chance, clock } = writing.workspace;
  const { item, from, phase, notes = null } = release;
  const [at, guid] = [zulu(clock()), chance.guid()];
  const superseded = effectiveRevision(settings, item)?.guid ?? null;
  writeAsRow(writing, 'ITEM_SPECS', { mode: 'EDIT' }, ({ items }) => {
    const stored = items.byGuid(item);
    if (stored === undefined) return;
    const { revisionNumber, ...fields } = stored.fields;
    const revision = freeNumber(writing.workspace, item, phase, release.revision ?? (revisionNumber as string));
    const change = release.change ?? { creationDateTime: at, effectiveDateTime: at, deviated: false };
    insertRevision(settings, { ...{ guid, item, from, revision, notes, change, at }, phase: phase.guid });
    items.put({ ...stored, fields, phase: phase.guid });
  });
  return { effective: guid, superseded, working: item };
}

/** Refuses a number that a revision of the item has (3073); the next one is a letter in production, else a numeral. */
function freeNumber({ settings }: Workspace, item: string, { stage }: LifecyclePhase, asked?: string | null): string {
  const taken = revisionNumbers(settings, item);
  if (asked && taken.includes(asked)) throw refusal(3073, `The item has a revision ${asked} already.`);
  if (asked) return asked;
  let next = stage === 'PRODUCTION' ? 'A' : '1';
  while (taken.includes(next)) next = successor(next);
  return next;
}

/** The next number of a sequence: 9 is followed by 10, Z by AA. */
function successor(number: string): string {
  if (/^\d+$/.test(number)) return String(Number(number) + 1);
  const last = number.charCodeAt(number.length - 1);
  const before = number.slice(0, -1);
  if (number.endsWith('Z')) return `${before === '' ? 'A' : successor(before)}A`;
  return before + String.fromCharCode(last + 1);
}

const DIRECT = ['ABANDONED', 'DEPRECATED', 'OBSOLETE'];

/**
 * Changes the phase of an item (wire-facts 8.1): the release to production, and the direct step to the end of a stage
 * (interface 4.6), apply to the effective revision, all others on the working one.
 */
export function changePhase(writing: WriteRequest, row: { readonly guid: string; readonly item: string }): Released {
  const { workspace, body } = writing;
  const { settings } = workspace;
  const { item, guid } = row;
  const to = findRecord(workspace, lifecyclePhases, (body.toLifecyclePhase as { readonly guid: string }).guid);
  const current = effectiveRevision(settings, item);
  const stored = settings.get('SELECT phase FROM items WHERE guid = ?', item);
  const before = findRecord(workspace, lifecyclePhases, current?.phase ?? String(stored?.phase));
  const isWorking = guid === item;
  const isRelease = before.stage === 'DESIGN' && to.stage === 'PRODUCTION';
  const stays = before.stage === to.stage && to.stage !== 'UNRELEASED';
  const isFirst = before.stage === 'UNRELEASED' && to.stage === 'DESIGN';
  const isSupported = isWorking
    ? stays || isFirst || (isRelease && current === undefined)
    : isRelease || (stays && DIRECT.includes(to.type));
  if (!isSupported) throw refusal(3063, `An item that is ${before.name} does not become ${to.name} in this way.`);
  if (isInChange(workspace, item)) throw refusal(3066, 'The working revision is in a change.');
  if (!DIRECT.includes(to.type)) checkChildren(workspace, guid, to, body.proceedOnNotice === true);
  const { revisionNumber, notes } = body as { readonly revisionNumber?: string | null; readonly notes?: string | null };
  return releaseItem(writing, { item, from: guid, phase: to, revision: revisionNumber, notes: notes ?? null });
}

/** Whether a change that is not decided has the working revision of an item. */
const isInChange = ({ settings }: Workspace, item: string): boolean =>
  settings.get(
    `SELECT 1 FROM changes_items i JOIN changes c ON c.guid = i.owner WHERE i.fields ->> '$.newItemRevision' = ?
      AND c.fields ->> '$.lifecycleStatus.type' NOT IN ('EFFECTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED', 'REJECTED')`,
    item,
  ) !== undefined;

/** Refuses to release over an unreleased child, and without consent over one of an earlier stage (codes INFERRED). */
function checkChildren({ settings }: Workspace, parent: string, to: LifecyclePhase, proceeds: boolean): void {
  const phase = `coalesce((SELECT phase FROM item_revisions WHERE item = l.child AND status = 1),
    (SELECT phase FROM items WHERE guid = l.child))`;
  const sql = `SELECT DISTINCT p.stage FROM ${ALL_LINES} l JOIN lifecycle_phases p ON p.guid = ${phase}
    WHERE l.owner = ?`;
  const stages = settings.all(sql, parent).map(({ stage }) => stage);
  if (stages.includes('UNRELEASED')) throw refusal(3075, 'A child of the BOM is unreleased.');
  if (to.stage === 'PRODUCTION' && stages.includes('DESIGN') && !proceeds) {
    throw refusal(3281, 'A child of the BOM is in design; "proceedOnNotice" releases the item nevertheless.');
  }
}
