import type { ApplyFacts } from '../../ledger/apply-facts.js';
import type { StepCounts, StepOutcome } from '../../ledger/counts.js';
import type { HistoryEntry } from '../../ledger/history/history-entry.js';
import type { Action } from '../../model/plan.js';
import type { History } from '../../operations/history.js';
import type { Palette } from './palette.js';
import { secondsOf } from './seconds-of.js';
import { DONE_WORDS } from './step-line.js';
import { tableText } from './table.js';

/** The applies of a workspace, the newest first. */
export function historyText(
  { environment, recorded, applies, more }: History,
  palette: Palette,
  width: number | undefined,
): string {
  if (applies.length === 0) return noneText(environment, recorded);
  const rows = applies.map((entry) => [
    String(entry.number),
    entry.at === null ? '?' : secondsOf(entry.at),
    entry.apply === null ? '?' : actorText(entry.apply),
    entry.apply?.command ?? '?',
    didText(entry),
    entry.apply?.reason ?? '',
  ]);
  const table = tableText(['N', 'WHEN', 'WHO', 'COMMAND', 'WHAT', 'REASON'], rows, width);
  return more === 'no' ? table : `${table}${palette.dim('Older ones are left out; --limit shows more of them.')}\n`;
}

function noneText(environment: string, recorded: number): string {
  if (recorded === 0) return `No apply of environment "${environment}" is recorded.\n`;
  const all = recorded === 1 ? 'The one apply' : `None of the ${recorded} applies`;
  return `${all} of environment "${environment}" ${recorded === 1 ? 'does not match' : 'matches'}.\n`;
}

/** The login may be one that many use; who stands behind it is told by the pipeline, or else by the machine. */
function actorText({ actor: { login, user }, ci }: ApplyFacts): string {
  const person = ci?.by ?? user;
  return person === undefined ? login : `${login} (${person})`;
}

function didText({ counts, object, state, damage }: HistoryEntry): string {
  const what = object === undefined ? countsText(counts) : objectOutcome(object);
  const open = state === 'unfinished' ? ['unfinished'] : damage === undefined ? [] : [`damaged: ${damage}`];
  return [...what, ...open].join(', ');
}

const OUTCOMES: Readonly<Record<Exclude<StepOutcome, 'done'>, string>> = {
  failed: 'failed',
  unknown: 'unknown',
  partly: 'partly done',
  skipped: 'not begun',
  manual: 'left to a person',
  blocked: 'blocked',
};

function countsText(counts: StepCounts | null): string[] {
  if (counts === null) return [];
  const done = Object.entries(counts.done).map(([action, count]) => `${count} ${DONE_WORDS[action as Action]}`);
  const undone = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).filter((outcome) => counts[outcome] > 0);
  return [...done, ...undone.map((outcome) => `${counts[outcome]} ${OUTCOMES[outcome]}`)];
}

function objectOutcome({ action, outcome }: NonNullable<HistoryEntry['object']>): string[] {
  if (outcome === 'done') return [DONE_WORDS[action]];
  return [action === outcome ? OUTCOMES[outcome] : `${action}: ${OUTCOMES[outcome]}`];
}
