import type { Plan } from '#core/model/plan.js';
import { createPalette } from '../human/palette.js';
import { priceText, shortageText } from '../human/plan-text.js';
import { provenanceLines } from '../human/provenance-text.js';
import { reviewedText } from '../human/reviewed-text.js';
import { selectionText } from '../human/selection-text.js';
import { fleetFacts } from '../report/fleet-facts.js';
import { kindInAddress } from '../report/kind-in-address.js';
import { outcomeText } from '../report/outcome-text.js';
import { uriPart } from '../report/place.js';
import type { Report } from '../report/report.js';
import { mdCode, mdText } from './escape.js';

/** The marker by which a pipeline finds its comment again, the heading with the totals, and the place. */
export function headText(report: Report): string {
  const { setting, planned, compared } = report;
  const { command, environment, subject } = setting;
  const sides = compared === undefined ? [] : [compared.from, compared.to];
  const names = subject === undefined ? sides.map((side) => side.environment) : [subject];
  const named = names.map((name) => ` ${mdCode(name)}`).join('');
  const blocks = [
    `## dexsync ${command}${named}: ${mdText(outcomeText(report))}`,
    ...placeLines(report),
    ...report.reviewed.map((one) => mdText(reviewedText(one), LONGEST_LINE)),
    ...failureLines(report),
    ...(planned === undefined ? [] : planLines(planned)),
    ...fleetFacts(report).map(([title, text]) => mdText(`${title}: ${text}`, LONGEST_LINE)),
    ...(planned === undefined ? [] : kindTable(planned.plan)),
  ];
  const marked = [subject ?? environment].flatMap((name) => (name === undefined ? [] : [markerName(name)]));
  const marker = `<!-- dexsync ${[command, ...marked].join(' ')} -->`;
  return `${marker}\n${blocks.join('\n\n')}\n`;
}

/** Encodes a name so that nothing in it can end the HTML comment. */
const markerName = (name: string): string => uriPart(name).slice(0, 200).replaceAll('--', '-%2D');

function placeLines({ planned, drift, compared, setting }: Report): string[] {
  if (compared !== undefined) return [sidesLine(compared)];
  const workspace = planned?.plan.workspace.name ?? drift?.workspace;
  const environment = setting.environment === undefined ? [] : [`environment ${mdCode(setting.environment)}`];
  const parts = [...environment, ...(workspace === undefined ? [] : [`workspace ${mdCode(workspace)}`])];
  if (parts.length === 0) return [];
  const text = parts.join(', ');
  return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}

const sidesLine = ({ from, to }: NonNullable<Report['compared']>): string =>
  `Environment ${mdCode(from.environment)}, workspace ${mdCode(from.workspace)} (marked +), ` +
  `compared with environment ${mdCode(to.environment)}, workspace ${mdCode(to.workspace)} (marked -).`;

const LONGEST_LINE = 500;

function failureLines({ failure }: Report): string[] {
  if (failure === undefined) return [];
  const { code, message, hint, exitCode } = failure;
  const advice = hint === undefined ? '' : ` ${mdText(hint, LONGEST_LINE)}`;
  return [`**Error:** ${mdText(message, LONGEST_LINE)}${advice} (${mdCode(code)}, exit code ${exitCode})`];
}

function planLines(planned: NonNullable<Report['planned']>): string[] {
  const { plan, reset } = planned;
  const plain = createPalette('plain');
  const warning = shortageText(plan, reset);
  return [
    ...(plan.promoted === undefined
      ? []
      : [
          selectionText(plan)
            .map((line) => mdText(line))
            .join('  \n'),
        ]),
    ...provenanceLines(planned).map(([title, text]) => mdText(`${title} ${text}`, LONGEST_LINE)),
    mdText(priceText(plan, plain)),
    ...(warning === '' ? [] : [`**${mdText(warning)}**`]),
  ];
}

/** Number of kinds shown. The catalog has few, but a plan of an earlier version may contain others. */
const MOST_KINDS = 20;
const LONGEST_KIND = 40;

/** A table of steps by kind and action. */
function kindTable({ steps }: Plan): string[] {
  if (steps.length === 0) return [];
  const actions = [...new Set(steps.map(({ action }) => action))];
  const kinds = [...new Set(steps.map(({ address }) => kindInAddress(address)))].sort().slice(0, MOST_KINDS);
  const rows = kinds.map((kind) => {
    const own = steps.filter((step) => kindInAddress(step.address) === kind);
    const counts = actions.map((action) => own.filter((step) => step.action === action).length || '');
    return `| ${mdText(kind, LONGEST_KIND)} | ${counts.join(' | ')} |`;
  });
  const head = `| Kind | ${actions.join(' | ')} |\n|---|${actions.map(() => '--:|').join('')}`;
  return [`${head}\n${rows.join('\n')}`];
}
