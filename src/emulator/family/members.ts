import type { Row } from '#base/sqlite/sqlite.js';
import type { Collection } from '../dialects/dialect.js';
import { parseWholeSearch, type Query } from '../rules/search.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { type List, selectPage } from '../store/select.js';
import { type Answer, createAnswerer } from './answer.js';
import type { Family, View } from './family.js';
import { addEntry, hasEntry, type ListTable, removeEntry } from './list-table.js';
import { findRow } from './records.js';

/** Describes objects of one family that belong to objects of another, each under its own path. */
interface Description {
  readonly owner: Family;
  /** The last segment of their path. */
  readonly segment: string;
  readonly table: string;
  readonly of: Family;
  /** Whether members can be deleted, which removes them from their owners. */
  readonly deletable: boolean;
  readonly capability: Collection;
  /** The singular, as texts name it. */
  readonly noun: string;
  /** The name of a member's GUID in paths of the OpenAPI document; `member` by default. */
  readonly parameter?: string;
  readonly view: View;
}

/** A description with its table and the members' rows in the order in which they were added. */
export interface Members extends Omit<Description, 'table'> {
  readonly table: ListTable;
  readonly rows: List<Row>;
}

/** Builds members from their description. */
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
 * Lists all members in the order in which they were added, never paged (wire-facts 3, "Not paginated"). Refuses an
 * unknown owner with 3011, and an unknown search with 3019.
 */
export function listMembers(workspace: Workspace, kind: Members, owner: string, query: Query): Answer[] {
  findRow(workspace, kind.owner, owner);
  const search = parseWholeSearch(query, kind.of.search);
  const rows = selectPage(workspace.settings, kind.rows, search, { sql: 'n.owner = ?', values: [owner] });
  return rows.map(createAnswerer(kind.of, { workspace, query: {} }, kind.view));
}

/** Finds a member; refuses with 3012 an existing object that does not belong to the owner. */
export function findMember(workspace: Workspace, kind: Members, owner: string, member: string): Answer {
  const row = existing(workspace, kind, owner, member);
  if (!hasEntry(workspace.settings, kind.table, owner, member)) throw refuse.absent(member);
  return createAnswerer(kind.of, { workspace, query: {} }, kind.view)(row);
}

/** Adds a member; adding it twice is not an error, and changes nothing. */
export function addMember(workspace: Workspace, kind: Members, owner: string, member: string): Answer {
  const row = existing(workspace, kind, owner, member);
  addEntry(workspace.settings, kind.table, owner, member);
  return createAnswerer(kind.of, { workspace, query: {} }, kind.view)(row);
}

/** Removes a member from its owner, but keeps the object itself; refuses an object that is not a member with 3012. */
export function removeMember(workspace: Workspace, kind: Members, owner: string, member: string): void {
  findMember(workspace, kind, owner, member);
  removeEntry(workspace.settings, kind.table, owner, member);
}

function existing(workspace: Workspace, kind: Members, owner: string, member: string): Row {
  findRow(workspace, kind.owner, owner);
  return findRow(workspace, kind.of, member);
}
