import type { PageChange, PageField } from '#base/pages/browser/plan-changes.js';
import type { Json } from '#core/model/json.js';
import type { FieldChange, Step } from '#core/model/plan.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { resultWords } from '../human/comparison-text.js';
import { countText } from '../human/count-text.js';
import { valueText } from '../human/field-text.js';
import { driftedRows, driftPhrase } from '../human/import-drift-text.js';
import { namesText } from '../human/many-text.js';
import { findPage, outsideText } from '../human/plan-text.js';
import {
  byParent,
  valueText as cellText,
  changedRows,
  keyText,
  oneLine,
  previewSentences,
  ROW_MARKS,
  rowText,
} from '../human/row-words.js';
import { timeText } from '../human/time-text.js';
import { driftedPath } from '../report/drifted-path.js';
import { driftedRowFields } from '../report/drifted-row-fields.js';
import { groupReports } from '../report/fleet-targets.js';
import { kindInAddress } from '../report/kind-in-address.js';
import { placeIn, placeText } from '../report/place.js';
import type { Report } from '../report/report.js';
import { sideBySide } from './side-by-side.js';

/** Lists the changes of a plan, of the groups of a fleet, of a drift or of a comparison, in its order. */
export function pageChanges(report: Report): PageChange[] {
  const { planned, drift, compared, steps, setting } = report;
  const outcomes = new Map(steps.map(({ address, status }) => [address, status.is]));
  const planSteps = (planned?.plan.steps ?? []).map((step): PageChange => {
    const { address, action, fields, origin, preview } = step;
    const outcome = outcomes.get(address);
    return {
      address,
      kind: kindInAddress(address),
      action,
      message: messageOf(step, findPage(address, planned?.pages)),
      ...(outcome === undefined ? {} : { outcome: outcome === 'started' ? 'not finished' : outcome }),
      place: placeOf(setting, origin),
      fields: [
        ...fields.map(fieldOf),
        ...byParent(preview?.rows ?? [])
          .slice(0, MOST_ROWS)
          .map(rowField),
      ],
    };
  });
  const drifted = (drift?.objects ?? []).map(({ address, what, fields, changedAt, changedBy, origin }): PageChange => {
    const by = changedBy === undefined ? '' : ` by ${changedBy}`;
    const at = changedAt === undefined ? '' : ` at ${timeText(changedAt)}`;
    return {
      address,
      kind: kindInAddress(address),
      action: what,
      message: by + at === '' ? 'Changed outside dexsync.' : `Last changed${by}${at}.`,
      place: placeOf(setting, origin),
      fields: fields.map((field) => fieldOf({ path: driftedPath(field), before: field.applied, after: field.now })),
    };
  });
  return [
    ...planSteps,
    ...groupReports(report).flatMap(groupChanges),
    ...drifted,
    ...(drift?.imports ?? []).flatMap(driftedImport),
    ...(compared === undefined ? [] : differences(compared)),
  ];
}

/** The changes of a group of equal plans, each with the environments. */
function groupChanges(
  { group: { environments }, report }: ReturnType<typeof groupReports>[number],
  index: number,
): PageChange[] {
  const outcome = `group ${index + 1}, ${countText(environments.length, 'environment')}`;
  return pageChanges(report).map((change) => {
    const message = [`In ${namesText(environments)}.`, change.message].join(' ').trim();
    return { ...change, outcome, message };
  });
}

function driftedImport(found: NonNullable<NonNullable<Report['drift']>['imports']>[number]): PageChange[] {
  if (driftedRows(found) === 0) return [];
  const { address, file, runs, at } = found;
  return [
    {
      ...{ address, kind: kindInAddress(address), action: driftPhrase(found), place: file },
      message: `Changed outside dexsync since ${runs ?? 'its commit'} of ${at.slice(0, 10)}.`,
      fields: driftedRowFields(found).map(({ path, applied, now }) => fieldOf({ path, before: applied, after: now })),
    },
  ];
}

function messageOf(step: Step, page: string | undefined): string {
  const { message, preview } = step;
  const outside = outsideText(step);
  const sentences = preview === undefined ? [] : previewSentences(preview, page);
  const { counts, rows = [] } = preview ?? {};
  const [shown, all] = [Math.min(rows.length, MOST_ROWS), counts === undefined ? 0 : changedRows(counts)];
  const first = shown < all ? [`The first ${shown} of ${all} rows are shown.`] : [];
  return [message, ...(outside === '' ? [] : [outside]), ...sentences, ...first].join(' ');
}

/** Number of rows shown of an import; others are only counted. */
const MOST_ROWS = 50;

/** A row as a field whose lines are its cells. */
function rowField(row: RowChange): PageField {
  const { change, key, cells = [], why } = row;
  const path = `${ROW_MARKS[change]} ${oneLine(keyText(key))}${rowText(row)}`;
  const side = (which: 'before' | 'after'): string | undefined => {
    const lines = cells
      .filter((cell) => change === 'changed' || cell[which] !== '')
      .map((cell) => `${oneLine(cell.column)}: ${cellText(cell[which])}`);
    return lines.length === 0 ? undefined : lines.join('\n');
  };
  const after = why ?? (change === 'gone' ? 'no longer in the file' : side('after'));
  return { path, lines: sideBySide(side('before'), after), isOutside: false };
}

/** The titles of the two values of a field. */
export function valueTitles({ compared, drift }: Report): readonly [left: string, right: string] {
  if (compared !== undefined) return [compared.to.environment, compared.from.environment];
  return drift === undefined ? ['Before', 'After'] : ['Last applied', 'Now'];
}

function differences(compared: NonNullable<Report['compared']>): PageChange[] {
  const words = resultWords(compared);
  return compared.objects.map(({ address, what, fields }) => ({
    address,
    kind: kindInAddress(address),
    action: words[what],
    message: '',
    place: '',
    fields: fields.map(fieldOf),
  }));
}

const placeOf = (setting: Report['setting'], { file, line }: Step['origin']): string => {
  const place = placeIn(setting, 'project', { file, line });
  return place === undefined ? file : placeText(place);
};

interface Sides {
  readonly path: string;
  readonly before?: Json | undefined;
  readonly after?: Json | undefined;
  readonly cause?: FieldChange['cause'] | undefined;
}

function fieldOf({ path, before, after, cause }: Sides): PageField {
  const text = (value: Json | undefined): string | undefined => (value === undefined ? undefined : valueText(value));
  return { path, lines: sideBySide(text(before), text(after)), isOutside: cause === 'drift' || cause === 'both' };
}
