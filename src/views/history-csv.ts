import { stringify as csv } from 'csv-stringify/sync';
import type { HistoryEntry } from '../ledger/history/history-entry.js';
import type { History } from '../operations/history.js';
import { DONE_WORDS } from './human/step-line.js';

type Cell = string | number;

/** One line an apply, the newest first. Cells that a spreadsheet would run as a formula are escaped. */
export const historyCsv = ({ applies }: History): string =>
  csv(applies.map(rowOf), { header: true, columns: [...COLUMNS], escape_formulas: true });

const UNDONE = ['failed', 'unknown', 'partly', 'skipped', 'manual', 'blocked'] as const;

const FACTS = ['command', 'environment', 'stack', 'login', 'user', 'host', 'version'] as const;
const SOURCES = ['commit', 'branch', 'dirty', 'pipeline', 'startedBy', 'reason', 'digest'] as const;

/** Steps that send something, by the word for what they did. */
const { manual: _, blocked: __, ...DID } = DONE_WORDS;
const DONE_COLUMNS = Object.values(DID);

const COLUMNS = [
  ...['number', 'at', 'ended', 'state', ...FACTS, ...SOURCES],
  ...[...DONE_COLUMNS, ...UNDONE, 'rowsCommitted', 'rowsFailed', 'address', 'outcome', 'damage'],
];

function rowOf(entry: HistoryEntry): Record<string, Cell> {
  const { number, at, ended, state, rows, object, damage } = entry;
  return {
    ...{ number, at: at ?? '', ended: ended ?? '', state },
    ...factCells(entry),
    ...countCells(entry),
    rowsCommitted: rows.committed,
    rowsFailed: rows.failed,
    address: object?.address ?? '',
    outcome: object?.outcome ?? '',
    damage: damage ?? '',
  };
}

function factCells({ apply }: HistoryEntry): Record<string, Cell> {
  if (apply === null) return {};
  const { command, environment, stack, actor, host, version, git, ci, reason = '', digest } = apply;
  const { commit = '', branch = '', dirty = '' } = git ?? {};
  const pipeline = ci?.url ?? ci?.name ?? '';
  return {
    ...{ command, environment, stack, login: actor.login, user: actor.user ?? '', host, version },
    ...{ commit, branch, dirty, pipeline, startedBy: ci?.by ?? '', reason, digest },
  };
}

function countCells({ counts }: HistoryEntry): Record<string, Cell> {
  if (counts === null) return {};
  const done = Object.entries(DID).map(([action, title]) => [title, counts.done[action as keyof typeof DID] ?? 0]);
  return Object.fromEntries([...done, ...UNDONE.map((one) => [one, counts[one]])]);
}
