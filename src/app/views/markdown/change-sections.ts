import { omitUndefined } from '#base/omit-undefined.js';
import type { Step } from '#core/model/plan.js';
import { differenceMark, resultWords } from '../human/comparison-text.js';
import { countText } from '../human/count-text.js';
import { driftedRows, driftPhrase } from '../human/import-drift-text.js';
import { ACTION_MARKS, findPage, outsideText } from '../human/plan-text.js';
import { rowLine } from '../human/row-line.js';
import { byParent, changedRows, previewSentences, rowCountsText } from '../human/row-words.js';
import { timeText } from '../human/time-text.js';
import { driftedPath } from '../report/drifted-path.js';
import { driftedRowFields } from '../report/drifted-row-fields.js';
import type { Report } from '../report/report.js';
import { fieldDiff, rowDiff } from './diff-lines.js';
import { characterReference, fenced, foldable, mdCode, mdText } from './escape.js';
import type { Item, Section } from './fit-comment.js';

/** Lists changes of a plan, drift or a comparison by object; problems contain blocked and manual steps. */
export function changeSections({ planned, drift, compared, steps }: Report): Section[] {
  const outcomes = new Map(steps.map(({ address, status }) => [address, status.is]));
  const changes = (planned?.plan.steps ?? [])
    .filter(({ action }) => action !== 'blocked' && action !== 'manual')
    .map((step) => stepItem(step, outcomes.get(step.address), findPage(step.address, planned?.pages)));
  return [
    { title: 'Changes', items: changes },
    { title: 'Changed outside dexsync', items: driftItems(drift) },
    { title: 'Differences', items: compared === undefined ? [] : differenceItems(compared) },
  ];
}

type Outcome = Report['steps'][number]['status']['is'];

function stepItem(step: Step, outcome: Outcome | undefined, page: string | undefined): Item {
  const { address, action, message, fields, preview } = step;
  const ended = outcome === undefined ? '' : `, ${outcome === 'started' ? 'not finished' : outcome}`;
  const head = `${characterReference(ACTION_MARKS[action][0])} ${mdCode(address)} ${action}${ended}`;
  const outside = outsideText(step);
  const blocks = [
    mdText(message),
    ...(outside === '' ? [] : [mdText(outside)]),
    ...(fields.length === 0 ? [] : [fenced('diff', fieldDiff(fields))]),
    ...(preview === undefined ? [] : rowBlocks(preview, page)),
  ];
  const counts = preview?.counts === undefined ? '' : `: ${mdText(rowCountsText(preview))}`;
  return { full: foldable(head, ...blocks), line: `- ${head}${pathsText(fields)}${counts}\n` };
}

/** Number of rows shown of an import; others are only counted. */
const MOST_ROWS = 30;

/** Describes changes of an import's rows, with a line of a diff for each of the first. */
function rowBlocks(preview: NonNullable<Step['preview']>, page: string | undefined): string[] {
  const { rows = [], counts } = preview;
  const said = previewSentences(preview, page).map((sentence) => mdText(sentence));
  const lines = byParent(rows).slice(0, MOST_ROWS).map(rowLine);
  const more = (counts === undefined ? 0 : changedRows(counts)) - lines.length;
  if (lines.length === 0) return said;
  return [
    ...said,
    fenced('diff', rowDiff([...lines, ...(more > 0 ? [`... and ${countText(more, 'more row')}`] : [])])),
  ];
}

const driftItems = ({ objects = [], imports = [] }: Partial<NonNullable<Report['drift']>> = {}): Item[] => [
  ...objects.map((one) =>
    driftItem({ ...one, fields: one.fields.map((field) => ({ ...field, path: driftedPath(field) })) }),
  ),
  ...imports
    .filter((one) => driftedRows(one) > 0)
    .map((one) => driftItem({ address: one.address, what: driftPhrase(one), fields: driftedRowFields(one) })),
];

type DriftedObject = NonNullable<Report['drift']>['objects'][number];

interface Drifted extends Pick<DriftedObject, 'address' | 'changedAt' | 'changedBy'> {
  readonly what: string;
  readonly fields: readonly Pick<DriftedObject['fields'][number], 'path' | 'applied' | 'now'>[];
}

function driftItem({ address, what, fields, changedAt, changedBy }: Drifted): Item {
  const by = changedBy === undefined ? '' : ` by ${mdText(changedBy)}`;
  const at = changedAt === undefined ? '' : ` at ${mdText(timeText(changedAt))}`;
  const who = by + at === '' ? '' : `, last changed${by}${at}`;
  const head = `${characterReference('~')} ${mdCode(address)} ${what}${who}`;
  const changed = fields.map(({ path, applied, now }) => ({
    path,
    ...omitUndefined({ before: applied, after: now }),
  }));
  const line = `- ${head}${pathsText(fields)}\n`;
  return fields.length === 0
    ? { full: line, line }
    : { full: foldable(head, fenced('diff', fieldDiff(changed))), line };
}

function differenceItems(compared: NonNullable<Report['compared']>): Item[] {
  const words = resultWords(compared);
  return compared.objects.map(({ address, what, fields }) => {
    const head = `${characterReference(differenceMark(what))} ${mdCode(address)} ${mdText(words[what])}`;
    const line = `- ${head}${pathsText(fields)}\n`;
    return { full: fields.length === 0 ? line : foldable(head, fenced('diff', fieldDiff(fields))), line };
  });
}

/** Number of fields that a line names; others are only counted. */
const MOST_PATHS = 3;
const LONGEST_PATH = 60;

function pathsText(fields: readonly { readonly path: string }[]): string {
  if (fields.length === 0) return '';
  const more = fields.length - MOST_PATHS;
  const paths = fields.slice(0, MOST_PATHS).map(({ path }) => mdText(path, LONGEST_PATH));
  return `: ${[...paths, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}
