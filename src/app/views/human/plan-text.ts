import type { FieldChange, Plan, Range, Step, SummaryKey } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';
import type { Event } from '#core/stream/event.js';
import { fieldText } from './field-text.js';
import { guardsText } from './guard-text.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { rowsPreviewLines } from './rows-preview-text.js';
import { selectionText } from './selection-text.js';
import { cellText, tableText } from './table.js';
import { timeText } from './time-text.js';

type Tone = 'green' | 'yellow' | 'red' | 'cyan' | 'magenta';

/** Reasons without a sentence: guards and rules list what they block, a note what is destroyed, and new is obvious. */
const SAID_ELSEWHERE: ReadonlySet<Step['reason']> = new Set(['absent', 'guarded', 'refused-by-rule']);

/** The mark of a step, and its colour. */
export const ACTION_MARKS: Readonly<Record<Action, readonly [mark: string, tone: Tone]>> = {
  create: ['+', 'green'],
  update: ['~', 'yellow'],
  rename: ['>', 'yellow'],
  replace: ['±', 'magenta'],
  delete: ['-', 'red'],
  retire: ['-', 'red'],
  adopt: ['=', 'cyan'],
  forget: ['=', 'cyan'],
  acknowledge: ['=', 'cyan'],
  import: ['⇪', 'cyan'],
  manual: ['!', 'yellow'],
  blocked: ['✗', 'red'],
};

type PlanEvent = Extract<Event, { type: 'plan' }>;

/** Shows the whole plan: each step with its reason and fields, then the counts and the price. */
export const planText = (event: PlanEvent, palette: Palette, width?: number): string =>
  planWith(event, stepsText(event.plan.steps.map((step) => stepText(step, palette, width, event.pages))), palette);

/** Shows what plans of several environments change alike. */
export const changesText = (plan: Plan, palette: Palette, width?: number): string =>
  [
    stepsText(plan.steps.map((step) => stepText(step, palette, width))),
    guardsText(plan.guards, palette),
    `${countsText(plan, palette)}\n`,
    ...plan.notes.map(({ message }) => `${palette.cyan('Note:')} ${message}\n`),
  ]
    .filter((text) => text !== '')
    .join('\n');

/** Shows a plan with only the steps that an apply cannot do, without their fields. */
export const planSummaryText = (event: PlanEvent, palette: Palette): string =>
  planWith(event, problemSteps(event.plan, ['blocked', 'manual'], palette), palette);

/** Shows only the blocked steps, and what blocks them. */
export const planProblemsText = ({ plan }: PlanEvent, palette: Palette): string =>
  problemSteps(plan, ['blocked'], palette) + guardsText(plan.guards, palette);

const problemSteps = ({ steps }: Plan, actions: readonly Action[], palette: Palette): string =>
  stepsText(
    steps
      .filter(({ action }) => actions.includes(action))
      .map((step) => stepText({ ...step, fields: [] }, palette, undefined)),
  );

function planWith({ plan, reset }: PlanEvent, body: string, palette: Palette): string {
  const { workspace, environment } = plan;
  const head = palette.bold(`Plan for ${whereText({ environment, workspace: workspace.name })}`);
  const guards = guardsText(plan.guards, palette);
  const warning = shortageText(plan, reset);
  const end = [
    countsText(plan, palette),
    priceText(plan, palette),
    ...plan.notes.map(({ message }) => `${palette.cyan('Note:')} ${message}`),
    ...(warning === '' ? [] : [palette.yellow(warning)]),
  ];
  const middle = [body, guards].filter((text) => text !== '');
  return [head, ...selectionText(plan), '', ...middle, ...end, ''].join('\n');
}

/** Joins steps, with an empty line between them except between steps of one line each. */
function stepsText(texts: readonly string[]): string {
  const isLine = (text: string): boolean => !text.includes('\n');
  return texts
    .map((text, index) => {
      const before = texts[index - 1];
      return `${before === undefined || (isLine(before) && isLine(text)) ? '' : '\n'}${text}\n`;
    })
    .join('');
}

function stepText(step: Step, palette: Palette, width: number | undefined, pages?: PlanEvent['pages']): string {
  const { address, action, reason, message, fields, wanted, renamedFrom } = step;
  const [mark, tone] = ACTION_MARKS[action];
  const lines =
    action === 'manual'
      ? manualText(fields, width)
      : fields.map((field) => fieldText(field, action === 'create' ? 'after only' : 'both', palette));
  const would = reason === 'guarded' || reason === 'refused-by-rule' ? ` (${wanted})` : '';
  const head = `  ${palette[tone](mark)} ${palette.bold(address)}  ${palette[tone](`${action}${would}`)}`;
  const isSaid =
    (SAID_ELSEWHERE.has(reason) && renamedFrom === undefined) || (reason === 'destroyed' && action === 'delete');
  const said = isSaid ? [] : [`      ${palette.dim(message)}`];
  const outside = outsideText(step);
  const changed = outside === '' ? [] : [`      ${palette.yellow(outside)}`];
  const shown = { palette, width: width === undefined ? undefined : width - INDENT, page: findPage(address, pages) };
  const rows = step.preview === undefined ? [] : rowsPreviewLines(step.preview, shown);
  return [head, ...said, ...changed, ...[...lines, ...rows].map((line) => indent(line, INDENT))].join('\n');
}

/** Returns the page of an import, if one was written. */
export const findPage = (address: Step['address'], pages: PlanEvent['pages'] = []): string | undefined =>
  pages.find((page) => page.address === address)?.file;

/** Says that somebody changed the object since the last apply, and who, if the service reports it. */
export function outsideText({ fields, audit = {}, reason }: Step): string {
  if (reason === 'renamed-outside' || !fields.some(({ cause }) => cause === 'drift' || cause === 'both')) return '';
  const by = audit.changedBy === undefined ? '' : `; last changed by ${audit.changedBy}`;
  const at =
    audit.changedAt === undefined ? '' : `${by === '' ? '; last changed' : ''} at ${timeText(audit.changedAt)}`;
  return `Changed outside since the last apply${by}${at}.`;
}

/** The values to enter manually, as a table; empty if there are none. */
function manualText(all: readonly FieldChange[], width: number | undefined): string[] {
  const fields = all.filter(({ before = null, after }) => before !== null || after !== null);
  const changed = fields.some(({ before }) => before !== undefined);
  const head = ['FIELD', ...(changed ? ['CURRENT VALUE'] : []), 'NEW VALUE'];
  const rows = fields.map(({ path, before, after }) => [
    path,
    ...(changed ? [cellText(before)] : []),
    after === undefined || after === null ? '(remove)' : cellText(after),
  ]);
  return fields.length === 0 ? [] : [tableText(head, rows, width === undefined ? undefined : width - INDENT).trimEnd()];
}

const INDENT = 6;

const indent = (text: string, by: number): string => text.replaceAll(/^/gm, ' '.repeat(by));

const COUNT_WORDS: readonly [SummaryKey, string][] = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['rename', 'to rename'],
  ['replace', 'to replace'],
  ['delete', 'to delete'],
  ['retire', 'to retire'],
  ['adopt', 'to adopt'],
  ['forget', 'to forget'],
  ['acknowledge', 'to acknowledge'],
  ['import', 'to import'],
  ['manual', 'manual'],
  ['blocked', 'blocked'],
  ['unchanged', 'unchanged'],
  ['acknowledged', 'acknowledged'],
];

/** The totals of a plan: `3 to update`, `9 unchanged`. */
export const countPhrases = ({ summary }: Pick<Plan, 'summary'>): string[] =>
  COUNT_WORDS.flatMap(([key, words]) => {
    const count = summary[key] ?? 0;
    return count > 0 ? [`${count} ${words}`] : [];
  });

function countsText(plan: Plan, palette: Palette): string {
  const { steps, selection, promoted } = plan;
  const counts = countPhrases(plan);
  const planned = selection === undefined ? 'manifests' : 'selected manifests';
  const manifests = promoted === undefined ? planned : 'promoted objects';
  if (steps.length === 0 && counts.length === 0) return palette.green('No changes. No object is affected.');
  if (steps.length === 0)
    return palette.green(`No changes. The workspace matches the ${manifests} (${counts.join(', ')}).`);
  return `${palette.bold('Plan:')} ${counts.join(', ')}.`;
}

/** Warns if the quota is too small for the apply, which would stop there. */
export function shortageText({ requests }: Plan, reset: string | null): string {
  const { apply, remaining } = requests;
  if (remaining === null || apply.max <= remaining) return '';
  const until = reset === null ? '' : ` until ${timeText(reset)}`;
  return `Warning: this apply needs ${rangeText(apply)} requests, but only ${remaining} are left${until}.`;
}

export const rangeText = ({ min, max }: Range): string => (min === max ? `${min}` : `${min} to ${max}`);

/** The requests that the plan used, those that applying it takes, and those that are left. */
export function priceText({ environment, promoted, requests }: Plan, palette: Palette): string {
  const { used, apply, remaining } = requests;
  const there = promoted?.requests ?? 0;
  const where = there === 0 ? '' : ` in ${environment} and ${there} in ${promoted?.environment}`;
  const left = remaining === null ? '' : `, ${remaining} left today`;
  return palette.dim(`Requests: ${used} used by this plan${where}, ${rangeText(apply)} to apply it${left}.`);
}
