import type { Plan, Step } from '../../model/plan.js';
import { countText } from '../human/count-text.js';
import { paletteOf } from '../human/palette.js';
import { countPhrases, priceText, shortageText } from '../human/plan-text.js';
import { uriPart } from '../report/place.js';
import type { Report } from '../report/report.js';
import { mdCode, mdText } from './escape.js';

/** The comment by which a pipeline finds its own text again, the heading with the totals, and where it all is. */
export function headText(report: Report): string {
  const { setting, planned } = report;
  const { command, environment } = setting;
  const blocks = [
    `## dexsync ${command}: ${mdText(outcomeText(report))}`,
    ...placeLines(report),
    ...failureLines(report),
    ...(planned === undefined ? [] : planLines(planned)),
    ...(planned === undefined ? [] : kindTable(planned.plan)),
  ];
  const marker = `<!-- dexsync ${[command, ...(environment === undefined ? [] : [markerName(environment)])].join(' ')} -->`;
  return `${marker}\n${blocks.join('\n\n')}\n`;
}

/** Nothing in it can end the comment. */
const markerName = (name: string): string => uriPart(name).slice(0, 200).replaceAll('--', '-%2D');

/** What it came to, in a few words. */
function outcomeText({ failure, validated, drift, planned, summary, diagnostics }: Report): string {
  const count = (level: string): number => diagnostics.filter(({ severity }) => severity === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    ...(errors === 0 ? [] : [countText(errors, 'error')]),
    ...(warnings === 0 ? [] : [countText(warnings, 'warning')]),
  ];
  if (failure !== undefined) return [...(errors > 0 ? found : [`failed (${failure.code})`])].join(', ');
  if (validated !== undefined) return validatedText(validated, found);
  if (drift !== undefined) return driftedText(drift.objects.length);
  if (summary !== undefined) return summaryText(summary);
  if (planned !== undefined)
    return planned.plan.steps.length === 0 ? 'no changes' : countPhrases(planned.plan).join(', ');
  return 'nothing to report';
}

function validatedText(
  { manifests, files, blocked }: NonNullable<Report['validated']>,
  found: readonly string[],
): string {
  const what = `${countText(manifests, 'manifest')} in ${countText(files, 'file')}`;
  const imports = blocked.length === 0 ? [] : [`${countText(blocked.length, 'import')} cannot be sent`];
  return [`${what} valid`, ...imports, ...found].join(', ');
}

const driftedText = (count: number): string =>
  count === 0 ? 'no drift' : `${countText(count, 'object')} changed outside`;

function summaryText({
  done,
  failed,
  unknown,
  skipped,
  blocked,
  manual,
  rows,
}: NonNullable<Report['summary']>): string {
  const counts: readonly [number, string][] = [
    [failed, 'failed'],
    [unknown, 'unknown'],
    [skipped, 'skipped'],
    [blocked, 'blocked'],
    [manual, 'manual'],
    [rows.committed, 'rows committed'],
    [rows.failed, 'rows failed'],
  ];
  return [`${done} done`, ...counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)].join(
    ', ',
  );
}

function placeLines({ planned, drift, setting }: Report): string[] {
  const workspace = planned?.plan.workspace.name ?? drift?.workspace;
  const environment = setting.environment === undefined ? [] : [`environment ${mdCode(setting.environment)}`];
  const parts = [...(workspace === undefined ? [] : [`workspace ${mdCode(workspace)}`]), ...environment];
  if (parts.length === 0) return [];
  const text = parts.join(', ');
  return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}

const LONGEST_ERROR = 500;

function failureLines({ failure }: Report): string[] {
  if (failure === undefined) return [];
  const { code, message, hint, exitCode } = failure;
  const advice = hint === undefined ? '' : ` ${mdText(hint, LONGEST_ERROR)}`;
  return [`**Error:** ${mdText(message, LONGEST_ERROR)}${advice} (${mdCode(code)}, exit code ${exitCode})`];
}

function planLines({ plan, reset }: NonNullable<Report['planned']>): string[] {
  const plain = paletteOf('plain');
  const warning = shortageText(plan, reset);
  return [mdText(priceText(plan, plain)), ...(warning === '' ? [] : [`**${mdText(warning)}**`])];
}

/** Kinds shown; their number is that of the catalog, and a plan of an earlier version may know others. */
const MOST_KINDS = 20;
const LONGEST_KIND = 40;

/** Steps by kind and action. */
function kindTable({ steps }: Plan): string[] {
  if (steps.length === 0) return [];
  const actions = [...new Set(steps.map(({ action }) => action))];
  const kinds = [...new Set(steps.map(kindOf))].sort().slice(0, MOST_KINDS);
  const rows = kinds.map((kind) => {
    const own = steps.filter((step) => kindOf(step) === kind);
    const counts = actions.map((action) => own.filter((step) => step.action === action).length || '');
    return `| ${mdText(kind, LONGEST_KIND)} | ${counts.join(' | ')} |`;
  });
  const head = `| Kind | ${actions.join(' | ')} |\n|---|${actions.map(() => '--:|').join('')}`;
  return [`${head}\n${rows.join('\n')}`];
}

const kindOf = ({ address }: Step): string => address.slice(0, address.indexOf('/'));
