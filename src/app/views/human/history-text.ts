import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Action } from '#core/model/step-schema.js';
import type { StepCounts, StepOutcome } from '#ledger/counts.js';
import type { HistoryEntry } from '#ledger/history/history-entry.js';
import type { History } from '../../operations/history.js';
import type { Palette } from './palette.js';
import { personText } from './provenance-text.js';
import { DONE_WORDS } from './step-line.js';
import { tableText } from './table.js';
import { columnTime } from './time-text.js';

/** The applies of a workspace, newest first. */
export function historyText(
  { environment, recorded, applies, more }: History,
  palette: Palette,
  width: number | undefined,
): string {
  if (applies.length === 0) return noneText(environment, recorded);
  const rows = applies.map((entry) => [
    String(entry.number),
    entry.at === null ? '?' : columnTime(entry.at),
    entry.apply === null ? '?' : actorText(entry.apply),
    entry.apply?.command ?? '?',
    didText(entry),
    entry.apply?.reason ?? '',
  ]);
  const table = tableText(['N', 'WHEN (UTC)', 'WHO', 'COMMAND', 'RESULT', 'REASON'], rows, width);
  return more ? `${table}${palette.dim('Older applies are not shown; use `--limit` to show more.')}\n` : table;
}

function noneText(environment: string, recorded: number): string {
  if (recorded === 0) return `No apply is recorded for environment "${environment}".\n`;
  const all = recorded === 1 ? 'The only recorded apply' : `None of the ${recorded} recorded applies`;
  return `${all} of environment "${environment}" ${recorded === 1 ? 'does not match' : 'matches'}.\n`;
}

/** Who applied it, and who planned it if that was somebody else. */
function actorText(apply: ApplyFacts): string {
  const [who, made] = [personText(apply), apply.planned?.provenance];
  const planner = made === undefined ? who : personText(made);
  return planner === who ? who : `${who}, planned by ${planner}`;
}

/** What an apply did. */
export function didText({
  counts,
  object,
  state,
  damage,
}: Pick<HistoryEntry, 'counts' | 'object' | 'state' | 'damage'>): string {
  const what = object === undefined ? countsText(counts) : objectOutcome(object);
  const open = state === 'unfinished' ? ['unfinished'] : damage === undefined ? [] : [`damaged: ${damage}`];
  return [...what, ...open].join(', ');
}

const OUTCOMES: Readonly<Record<Exclude<StepOutcome, 'done'>, string>> = {
  failed: 'failed',
  unknown: 'unknown',
  partly: 'partly done',
  skipped: 'not started',
  manual: 'manual',
  blocked: 'blocked',
};

function countsText(counts: StepCounts | null): string[] {
  if (counts === null) return [];
  const done = Object.entries(counts.done).map(([action, count]) => doneText(action as Action, count));
  const undone = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter((outcome) => counts[outcome] > 0);
  return [...done, ...undone.map((outcome) => `${counts[outcome]} ${OUTCOMES[outcome]}`)];
}

const doneText = (action: Action, count: number): string =>
  action === 'import' ? `${count} ${count === 1 ? 'import' : 'imports'} done` : `${count} ${DONE_WORDS[action]}`;

function objectOutcome({ action, outcome }: NonNullable<HistoryEntry['object']>): string[] {
  if (outcome === 'done') return [DONE_WORDS[action]];
  return [action === outcome ? OUTCOMES[outcome] : `${action}: ${OUTCOMES[outcome]}`];
}
