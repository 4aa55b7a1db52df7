import { changeSections } from './markdown/change-sections.js';
import { mdCode } from './markdown/escape.js';
import { type Filled, fill, MOST_CHARACTERS } from './markdown/fit-comment.js';
import { fleetSections } from './markdown/fleet-sections.js';
import { headText } from './markdown/head.js';
import { problemSections } from './markdown/problem-sections.js';
import type { Report } from './report/report.js';

/**
 * A comment for a pull request, of at most `most` characters. Summary and problems come first and in full; then changes
 * in the order of the plan: in full while they fit, then a line each, then their number. The end says what is left out.
 */
export function markdownReport(report: Report, most = MOST_CHARACTERS): string {
  const head = headText(report);
  const room = most - head.length - endText(report, ALL_LEFT_OUT, ALL_LEFT_OUT, most).length;
  const problems = fill(problemSections(report), room);
  const changes = fill([...fleetSections(report), ...changeSections(report)], room - problems.text.length);
  return `${head}${problems.text}${changes.text}${endText(report, problems, changes, most)}`;
}

const ALL_LEFT_OUT: Filled = { text: '', shortened: 999_999_999, missing: 999_999_999 };

function endText({ setting, fleet, rollout }: Report, problems: Filled, changes: Filled, most: number): string {
  const shortened = problems.shortened + changes.shortened;
  const left = [
    ...(shortened === 0 ? [] : [`the details of ${shortened} lines`]),
    ...(problems.missing === 0 ? [] : [`${problems.missing} problems`]),
    ...(changes.missing === 0 ? [] : [`${changes.missing} ${rollout === undefined ? 'changes' : 'waves'}`]),
  ];
  if (left.length === 0) return '';
  const all = [
    ...(['plan', 'drift', 'validate'].includes(setting.command) ? [againText(setting)] : []),
    ...(fleet === undefined ? [] : [`dexsync fleet plan ${fleet.plan.fleet} --json`]),
    ...(rollout === undefined ? [] : [`dexsync fleet status ${rollout.fleet} --json`]),
  ].map(mdCode);
  const how = `${all[0] ?? 'The output of the command'} shows all of it.`;
  return `\n**Left out** to stay within ${most.toLocaleString('en-US')} characters: ${left.join(', ')}. ${how}\n`;
}

const againText = ({ command, environment }: Report['setting']): string =>
  `dexsync ${command}${environment === undefined ? '' : ` --env ${environment}`}`;
