import type { Database } from './database.js';
import { flag, type List, text, textOrNull } from './select.js';

/** How far a supplier is approved (interface 4.6; its fields are ours, since none are shown). */
export interface ApprovalStatus {
  readonly guid: string;
  readonly name: string;
  readonly description: string | null;
  readonly active: boolean;
}

export const approvalStatusList: List<ApprovalStatus> = {
  select: 'SELECT * FROM approval_statuses',
  columns: { guid: 'guid', name: 'name' },
  order: 'seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    description: textOrNull(row, 'description'),
    active: flag(row, 'active'),
  }),
};

export function insertApprovalStatus(database: Database, status: ApprovalStatus): void {
  database.run(
    'INSERT INTO approval_statuses (guid, name, description, active) VALUES (?, ?, ?, ?)',
    status.guid,
    status.name,
    status.description,
    Number(status.active),
  );
}
