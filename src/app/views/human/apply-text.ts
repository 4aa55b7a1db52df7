import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { StepResult } from '#ledger/step-results.js';
import type { AppliedRecord } from '../../operations/show-apply.js';
import type { Palette } from './palette.js';
import { planText } from './plan-text.js';
import { commitText, isFromElsewhere, pipelineText, provenanceRows } from './provenance-text.js';
import { signedText, verdictText } from './review-text.js';
import { rowPhrase } from './row-phrase.js';
import { runSuffix } from './run-text.js';
import { DONE_WORDS } from './step-line.js';
import { timeText } from './time-text.js';

/** Describes one apply: who, when and why, the plan as it was, and the outcome. */
export function applyText(record: AppliedRecord, palette: Palette, width: number | undefined): string {
  const { number, environment, steps, jobs } = record;
  const facts = recordFacts(record, palette).map(([title, text]) => `  ${title.padEnd(9)}  ${text}\n`);
  const outcomes = steps.map((step) => `${resultText(step, palette)}\n`);
  const imports = jobs.map((job) => `${jobText(job)}\n`);
  const parts = [
    `${palette.bold(`Apply ${number} of environment "${environment}"`)}\n${facts.join('')}`,
    ...planPart(record, palette, width),
    ...(outcomes.length === 0 ? [] : [`${palette.bold('Outcome:')}\n${outcomes.join('')}`]),
    ...(imports.length === 0 ? [] : [`${palette.bold('Imports:')}\n${imports.join('')}`]),
  ];
  return parts.join('\n');
}

/** The plan as it was confirmed, without the requests that were left that day. */
function planPart({ plan }: AppliedRecord, palette: Palette, width: number | undefined): string[] {
  if (plan === null) return [];
  const requests = { ...plan.requests, remaining: null };
  return [planText({ type: 'plan', plan: { ...plan, requests }, reset: null }, palette, width)];
}

function recordFacts(record: AppliedRecord, palette: Palette): [string, string][] {
  const { at, ended, apply } = record;
  return [
    ['When', `${at === null ? 'unknown' : timeText(at)}${ended === null ? '' : ` to ${timeText(ended)}`}`],
    ['State', stateText(record, palette)],
    ...(apply === null
      ? [['Who', 'not recorded (journal of an older version)'] as [string, string]]
      : actorFacts(apply)),
    ...verdictRows(record),
    ...(apply?.reviewed?.onForge ?? []).map((text): [string, string] => ['Forge', text]),
    ['Digest', digestText(record, palette)],
    ['Journal', record.journal],
  ];
}

function actorFacts(apply: ApplyFacts): [string, string][] {
  const { command, arguments: typed, actor, host, pid, version, stack, git, ci, reason, planned, savedPlan } = apply;
  const user = actor.user === undefined ? '' : `, as ${actor.user}`;
  return [
    ['Who', `${actor.login}${user} on ${host} (process ${pid}, dexsync ${version})`],
    ['Command', typed === undefined ? command : typed.map(argumentText).join(' ')],
    ['Stack', stack],
    ...(git === undefined ? [] : [['Commit', commitText(git)] as [string, string]]),
    ...(ci === undefined ? [] : [['Pipeline', pipelineText(ci)] as [string, string]]),
    ...(reason === undefined ? [] : [['Reason', reason.replaceAll('\n', `\n${' '.repeat(13)}`)] as [string, string]]),
    ...(planned === undefined ? [] : plannedFacts(planned, apply)),
    ...(savedPlan === undefined ? [] : savedPlanFacts(savedPlan)),
  ];
}

/** When the reviewed plan was created; also by whom and from what, if that differs. */
function plannedFacts({ at, provenance }: NonNullable<ApplyFacts['planned']>, apply: ApplyFacts): [string, string][] {
  const [[title, by] = ['Planned', ''], ...rows] =
    provenance === undefined || !isFromElsewhere(provenance, apply) ? [] : provenanceRows(provenance);
  return [
    [title, `${timeText(at)}${by === '' ? '' : `, ${by}`}`],
    ...rows.map(([, text]): [string, string] => ['', text]),
  ];
}

/** The plan of the ledger that was applied, and its reviews. */
function savedPlanFacts(plan: NonNullable<ApplyFacts['savedPlan']>): [string, string][] {
  return [
    ['Plan', `ledger:${plan.name}, saved ${signedText(plan)}`],
    ...plan.reviews.map((review, index): [string, string] => [
      index === 0 ? 'Reviews' : '',
      `${review.verdict} ${signedText(review)}`,
    ]),
  ];
}

/** The signed verdicts, with their keys. */
const verdictRows = ({ verdicts }: AppliedRecord): [string, string][] =>
  verdicts.map((verdict, index): [string, string] => [index === 0 ? 'Signed' : '', verdictText(verdict)]);

const argumentText = (argument: string): string =>
  /^[\w./:=@…+,-]+$/.test(argument) ? argument : JSON.stringify(argument);

const PROCESS = {
  running: 'still running, or its process number was reused',
  gone: 'its process was killed',
  elsewhere: 'running on another machine, or killed there',
} as const;

function stateText({ state, damage, process }: AppliedRecord, palette: Palette): string {
  if (state === 'damaged') return palette.red(`the journal is damaged: ${damage}`);
  if (state === 'ended') return 'ended';
  return palette.yellow(`unfinished${process === undefined ? '' : `: ${PROCESS[process]}`}`);
}

function digestText({ digest, apply }: AppliedRecord, palette: Palette): string {
  if (digest === 'matches') return `${apply?.digest}: the plan is unchanged since it was recorded`;
  if (digest === 'differs') return palette.red(`${apply?.digest}: the plan was changed after it was recorded`);
  return 'not recorded or not readable, so a change of the plan would not be noticed';
}

const OUTCOME_MARKS = {
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  unknown: ['?', 'red'],
  partly: ['?', 'red'],
  skipped: ['-', 'yellow'],
  manual: ['!', 'yellow'],
  blocked: ['✗', 'yellow'],
} as const;

function resultText(step: StepResult, palette: Palette): string {
  const [mark, tone] = OUTCOME_MARKS[step.outcome];
  return `  ${palette[tone](mark)} ${step.address}  ${outcomeText(step)}`;
}

function outcomeText({ action, outcome, message, writes }: StepResult): string {
  const because = message === undefined ? '' : `: ${message}`;
  switch (outcome) {
    case 'done':
      return DONE_WORDS[action];
    case 'failed':
      return `${action} failed${because}`;
    case 'unknown':
      return `unknown outcome${message === undefined ? ': it was started, and no result is recorded' : because}`;
    case 'partly':
      return `${writes.done} of ${writes.planned} writes done, the rest not started`;
    case 'skipped':
      return 'not started';
    case 'manual':
      return `manual${because}`;
    case 'blocked':
      return 'blocked';
  }
  return outcome satisfies never;
}

function jobText({ address, state, number, rows, committed, failed }: AppliedRecord['jobs'][number]): string {
  const counts = rows === undefined ? '' : `: ${rowPhrase(rows)}, ${committed} committed, ${failed} failed`;
  return `  ${address}  ${state}${runSuffix(number)}${counts}`;
}
