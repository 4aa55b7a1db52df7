import { omitUndefined } from '#base/omit-undefined.js';
import type { Step } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import { countText } from '../human/count-text.js';
import { placeIn, placeProperty } from './place.js';
import { hintProperty, type Problem } from './problem.js';
import type { Report } from './report.js';

type RowsEvent = Extract<Event, { type: 'rows' }>;
type Finding = Report['findings'][number]['findings']['kept'][number];
type RowError = RowsEvent['outcome']['errors']['kept'][number];

/** Findings of source files, rows that the service refused or will refuse, and imports that `validate` blocks. */
export const importProblems = (report: Report): Problem[] => [
  ...report.findings.flatMap((event) => sourceProblems(report, event)),
  ...(report.planned?.plan.steps ?? []).flatMap((step) => refusedRows(report, step)),
  ...report.rows.flatMap((event) => rowProblems(report, event)),
  ...(report.validated?.blocked ?? []).map((blocked) => blockedProblem(report, blocked)),
];

/** Shows the first findings each, and the number of the others as one problem, so that no report omits any. */
function sourceProblems(report: Report, { address, findings }: Report['findings'][number]): Problem[] {
  const { kept, errors, warnings } = findings;
  const each = kept.map((finding) => findingProblem(report, address, finding));
  const rest = errors + warnings - kept.length;
  if (rest <= 0) return each;
  const level = errors > kept.filter(({ severity }) => severity === 'error').length ? 'error' : 'warning';
  const message = `${address}: ${countText(rest, 'more finding')} not listed here.`;
  return [...each, { about: 'finding', level, code: 'more-findings', message, address }];
}

function findingProblem({ setting }: Report, address: Problem['address'] & string, finding: Finding): Problem {
  const { severity, code, message, hint, file, row } = finding;
  const place = placeIn(setting, 'here', { file, ...omitUndefined({ line: row }) });
  return {
    about: 'finding',
    level: severity,
    code,
    message,
    ...hintProperty(hint),
    address,
    ...placeProperty(place),
  };
}

/** Number of rows that are named; others are only counted. */
const MOST_REFUSED = 10;

/** Rows that the service will refuse, according to the comparison with the workspace. */
function refusedRows({ setting }: Report, { address, preview, writes }: Step): Problem[] {
  const request = writes.flatMap((write) => (write.verb === 'import' ? [write.request] : []))[0];
  const refused = (preview?.rows ?? []).filter(({ change }) => change === 'refused').slice(0, MOST_REFUSED);
  const rest = (preview?.counts?.refused ?? 0) - refused.length;
  const common = { about: 'finding', level: 'warning', address } as const;
  const each = refused.map(({ key, row, why = '' }): Problem => {
    const file = request === undefined ? undefined : { file: request.path, ...omitUndefined({ line: row }) };
    const place = file === undefined ? undefined : placeIn(setting, 'project', file);
    const message = `The service will refuse "${key.join(' / ')}". ${why}`;
    return { ...common, code: 'row-will-be-refused', message, ...placeProperty(place) };
  });
  const message = `${address}: ${countText(rest, 'more row')} that the service will refuse, not listed here.`;
  return [...each, ...(rest > 0 ? [{ ...common, code: 'more-refused-rows', message } as const] : [])];
}

function rowProblems(report: Report, event: RowsEvent): Problem[] {
  const { address, outcome } = event;
  const { errors, findings } = outcome;
  const each = errors.kept.map((error) => rowProblem(report, event, error));
  const rest = errors.count - errors.kept.length;
  const message = `${address}: ${countText(rest, 'more failed row')} not listed here.`;
  return [
    ...each,
    ...(rest > 0 ? [{ about: 'row', level: 'error', code: 'more-failed-rows', message, address } as const] : []),
    ...findings.map((finding) => findingProblem(report, address, finding)),
  ];
}

function rowProblem({ setting }: Report, { address, file }: RowsEvent, error: RowError): Problem {
  const { row, column, value, key, code, message, doubt } = error;
  const place = placeIn(setting, 'here', { file, ...omitUndefined({ line: row }) });
  const cell = column === undefined ? `"${key}"` : `${column} "${value ?? key}"`;
  return {
    about: 'row',
    level: 'error',
    code: code === undefined ? 'row-failed' : `row-failed-${code}`,
    message: `${cell}: ${message}`,
    ...hintProperty(doubt),
    address,
    ...placeProperty(place),
  };
}

function blockedProblem({ validated, setting }: Report, { address, message }: BlockedImport): Problem {
  const origin = validated?.objects.find((one) => one.address === address)?.origin;
  const place = origin === undefined ? undefined : placeIn(setting, 'project', origin);
  return {
    about: 'step',
    level: 'error',
    code: 'blocked-findings',
    message: `${address} is blocked: ${message}`,
    address,
    ...placeProperty(place),
  };
}

type BlockedImport = NonNullable<Report['validated']>['blocked'][number];
