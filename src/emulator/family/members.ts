import type { Row } from '#base/sqlite/sqlite.js';
import type { Collection } from '../dialects/dialect.js';
import { parseWholeSearch, type Query } from '../rules/search.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { type List, selectPage } from '../store/select.js';
import { type Answer, answersOf } from './answer.js';
import type { Family, View } from './family.js';
import { addEntry, hasEntry, type ListTable, removeEntry } from './list-table.js';
import { findRow } from './records.js';

/** Objects of one family that objects of another have, each under a path of its own. */
interface Description {
  readonly owner: Family;
  /** The last part of their path. */
  readonly segment: string;
  readonly table: string;
  readonly of: Family;
  /** Whether members can be deleted, so that those who have them lose them. */
  readonly deletable: boolean;
  readonly capability: Collection;
  /** One and several, as texts name them. */
  readonly noun: string;
  /** What the OpenAPI document calls the GUID of a member in paths; `member` unless told. */
  readonly parameter?: string;
  readonly view: View;
}

/** A description with its table and the members' rows in the order in which they were added. */
export interface Members extends Omit<Description, 'table'> {
  readonly table: ListTable;
  readonly rows: List<Row>;
}

/** Makes members of their description. */
export function members(description: Description): Members {
  const { table: name, deletable, of } = description;
  const from = `FROM ${name} n JOIN ${of.table} t ON t.guid = n.member ${of.joins}`;
  return {
    ...description,
    table: { name, column: 'member', of: { table: of.table, deletable } },
    rows: { ...of.rows, select: `SELECT ${['t.*', ...of.selects].join(', ')} ${from}`, order: 'n.seq' },
  };
}

/**
 * All members in the order in which they were added, never paged (wire-facts 3, "Not paginated"). Refuses with 3011 an
 * owner who does not exist, with 3019 what their family cannot be searched by.
 */
export function listMembers(workspace: Workspace, kind: Members, owner: string, query: Query): Answer[] {
  findRow(workspace, kind.owner, owner);
  const search = parseWholeSearch(query, kind.of.search);
  const rows = selectPage(workspace.settings, kind.rows, search, { sql: 'n.owner = ?', values: [owner] });
  return rows.map(answersOf(kind.of, { workspace, query: {} }, kind.view));
}

/** A member; one that exists and does not belong to the owner is refused with 3012. */
export function findMember(workspace: Workspace, kind: Members, owner: string, member: string): Answer {
  const row = existing(workspace, kind, owner, member);
  if (!hasEntry(workspace.settings, kind.table, owner, member)) throw refuse.absent(member);
  return answersOf(kind.of, { workspace, query: {} }, kind.view)(row);
}

/** Adding a member twice is no error: the second request changes nothing. */
export function addMember(workspace: Workspace, kind: Members, owner: string, member: string): Answer {
  const row = existing(workspace, kind, owner, member);
  addEntry(workspace.settings, kind.table, owner, member);
  return answersOf(kind.of, { workspace, query: {} }, kind.view)(row);
}

/** Takes a member from its owner and leaves the object itself; what is no member is refused with 3012. */
export function removeMember(workspace: Workspace, kind: Members, owner: string, member: string): void {
  findMember(workspace, kind, owner, member);
  removeEntry(workspace.settings, kind.table, owner, member);
}

function existing(workspace: Workspace, kind: Members, owner: string, member: string): Row {
  findRow(workspace, kind.owner, owner);
  return findRow(workspace, kind.of, member);
}
