import type { Plan } from '#core/model/plan.js';
import { countText } from './count-text.js';
import { whereText } from './place-text.js';
import { columnTime } from './time-text.js';

/** The selection of a plan and the origin of its objects, in lines; none for a plan of all manifests. */
export const selectionText = (plan: Pick<Plan, 'environment' | 'selection' | 'promoted'>): string[] => [
  ...promotedLines(plan),
  ...selectedLines(plan),
];

/** Number of objects that are named. */
const MOST_NAMED = 20;

function promotedLines({ environment: to, promoted }: Pick<Plan, 'environment' | 'promoted'>): string[] {
  if (promoted === undefined) return [];
  const { environment, workspace, as, release, closure, kept = [], due = [], stays = [] } = promoted;
  const state = as === 'live' ? 'as they are there now' : 'as they were last applied there';
  const where = whereText({ environment, workspace });
  const named = closure.slice(0, MOST_NAMED);
  const more = closure.length - named.length;
  return [
    release === undefined ? `Promotes objects of ${where}, ${state}.` : `Promotes release ${release} of ${where}.`,
    ...named.map(({ address, because }) => `${address} comes along: ${because} refers to it.`),
    ...keptLines(kept),
    ...(more > 0 ? [`${more} more come along, because others refer to them.`] : []),
    ...dueLines(due),
    ...stayLines(stays, to),
  ];
}

/** Imports that the source committed, and that are not run. */
function dueLines(due: readonly string[]): string[] {
  if (due.length === 0) return [];
  const named = due.slice(0, MOST_NAMED).join(', ');
  const more = due.length > MOST_NAMED ? ` and ${due.length - MOST_NAMED} more` : '';
  return [`Imports that are due here, with rows that only --with-data brings: ${named}${more}.`];
}

/** Rows that do not go back with the objects. */
function stayLines(stays: NonNullable<NonNullable<Plan['promoted']>['stays']>, environment: string): string[] {
  const [first] = stays;
  if (first === undefined) return [];
  const each = stays.map(
    ({ address, rows, at }) => `  ${address}: ${countText(rows, 'row')}, committed ${columnTime(at)} UTC`,
  );
  const undo = `dexsync import undo ${patternText(first.address)} --env ${environment}`;
  return ['Rows that do not go back:', ...each, `\`${undo}\` plans to restore what such an import changed.`];
}

/** What only the target changed since the last promotion. */
function keptLines(kept: NonNullable<NonNullable<Plan['promoted']>['kept']>): string[] {
  if (kept.length === 0) return [];
  const each = kept.map(({ address, fields, deleted }) => {
    const what = deleted === true ? 'deleted' : fields.map(({ path }) => path).join(', ');
    return `  ${address}: ${what}`;
  });
  return ['Changed here since the last promotion, and kept:', ...each];
}

function selectedLines({ selection, promoted }: Pick<Plan, 'selection' | 'promoted'>): string[] {
  if (selection === undefined) return [];
  const { only, exclude, closure } = selection;
  const options = [
    ...only.map((pattern) => `--only ${patternText(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${patternText(pattern)}`),
  ].join(' ');
  if (closure.length === 0 || promoted !== undefined) return [`Selected: ${options}.`];
  const them = closure.length === 1 ? 'it' : 'them';
  return [`Selected: ${options}. Also planned because selected objects refer to ${them}: ${closure.join(', ')}.`];
}

/** Quotes a pattern with spaces or separators, so that its end can be seen. */
const patternText = (pattern: string): string => (/[\s"',;]/.test(pattern) ? `"${pattern}"` : pattern);
