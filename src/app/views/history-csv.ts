import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Provenance } from '#core/model/provenance.js';
import type { HistoryEntry } from '#ledger/history/history-entry.js';
import type { History } from '../operations/history.js';
import { csvText } from './csv-text.js';
import { DONE_WORDS } from './human/step-line.js';

type Cell = string | number;

/** One line for each apply, newest first. */
export const historyCsv = ({ applies }: History): string => csvText(applies.map(rowOf), COLUMNS);

const UNDONE = ['failed', 'unknown', 'partly', 'skipped', 'manual', 'blocked'] as const;

const FACTS = ['command', 'environment', 'stack', 'login', 'user', 'host', 'version'] as const;
const SOURCES = ['commit', 'branch', 'dirty', 'pipeline', 'startedBy', 'reason', 'digest'] as const;
const PLANNED = ['plannedAt', 'plannedBy', 'plannedCommit', 'plannedBranch', 'plannedPipeline'] as const;

/** Actions that a step can have done, by their words. */
const { manual: _, blocked: __, ...DID } = DONE_WORDS;
const DONE_COLUMNS = Object.values(DID);

const COLUMNS = [
  ...['number', 'at', 'ended', 'state', ...FACTS, ...SOURCES],
  ...[
    ...DONE_COLUMNS,
    ...UNDONE,
    'rowsCommitted',
    'rowsFailed',
    'address',
    'outcome',
    'damage',
    'repository',
    ...PLANNED,
  ],
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
  const { repository = '', commit = '', branch = '', dirty = '' } = git ?? {};
  return {
    ...{ command, environment, stack, login: actor.login, user: actor.user ?? '', host, version },
    ...{ repository, commit, branch, dirty, pipeline: pipelineCell(ci), startedBy: ci?.by ?? '', reason, digest },
    ...plannedCells(apply),
  };
}

const pipelineCell = (ci: Provenance['ci']): string => ci?.url ?? ci?.name ?? '';

/** Empty if the command that applied the plan also created it. */
function plannedCells({ planned }: ApplyFacts): Record<string, Cell> {
  const { at: plannedAt = '', provenance: { actor, git, ci } = {} } = planned ?? {};
  return {
    ...{ plannedAt, plannedBy: ci?.by ?? actor?.user ?? actor?.login ?? '' },
    ...{ plannedCommit: git?.commit ?? '', plannedBranch: git?.branch ?? '', plannedPipeline: pipelineCell(ci) },
  };
}

function countCells({ counts }: HistoryEntry): Record<string, Cell> {
  if (counts === null) return {};
  const done = Object.entries(DID).map(([action, title]) => [title, counts.done[action as keyof typeof DID] ?? 0]);
  return Object.fromEntries([...done, ...UNDONE.map((one) => [one, counts[one]])]);
}
