import { toPrintable } from '#base/printable.js';
import type { FleetShares } from '#delivery/release/stage-shares.js';
import type { NextRelease, PromotedRelease } from '../../operations/environment-release.js';
import type { EnvironmentStatus, Status } from '../../operations/status.js';
import { mdText } from '../markdown/escape.js';
import { countText } from './count-text.js';
import { didText } from './history-text.js';
import type { Palette } from './palette.js';
import { personText } from './provenance-text.js';
import { tableText } from './table.js';
import { columnTime } from './time-text.js';

/** The titles of the cells of an environment. */
export const statusHead = ['ENVIRONMENT', 'RELEASE', 'LAST APPLY (UTC)', 'BY', 'RESULT', 'LAST SEEN (UTC)', 'WAITING'];

/** What the ledger knows of each environment, as a table. */
export function statusText(
  { environments, fleets, requests }: Status,
  palette: Palette,
  width: number | undefined,
): string {
  if (environments.length === 0) return NO_ENVIRONMENTS;
  const notes = environments.flatMap((one) =>
    statusNotes(one).map(
      (note) => `${(one.problem === undefined ? palette.dim : palette.yellow)(one.environment)}  ${note}\n`,
    ),
  );
  const table = `${tableText(statusHead, environments.map(statusCells), width)}${fleets.map((one) => `\n${fleetSharesText(one)}\n`).join('')}`;
  const price = requests === 0 ? '' : `\nRequests: ${requests} used.\n`;
  return `${table}${notes.length === 0 ? '' : `\n${notes.join('')}`}${price}`;
}

/** The same as a table of Markdown, such as for the summary of a pipeline. */
export function statusMarkdown(found: Status): string {
  const { environments, fleets } = toPrintable(found);
  if (environments.length === 0) return NO_ENVIRONMENTS;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rows = environments.map((one) => row(statusCells(one).map((cell) => mdText(cell))));
  const notes = environments.flatMap((one) =>
    statusNotes(one).map((note) => `\n- ${mdText(one.environment)}: ${mdText(note)}`),
  );
  const shares = fleets.map((one) => `\n- ${mdText(fleetSharesText(one))}`);
  const lines = [...shares, ...notes];
  return `${row(statusHead)}${row(statusHead.map(() => '---'))}${rows.join('')}${lines.join('')}${lines.length === 0 ? '' : '\n'}`;
}

/** `Fleet sites: dev/r2 in 8 of 10 environments, dev/r1 in 2.` */
export function fleetSharesText({ fleet, environments, releases }: FleetShares): string {
  const [first, ...others] = releases.toSorted((one, other) => other.environments - one.environments);
  const of = `of ${countText(environments, 'environment')}`;
  if (first === undefined) return `Fleet ${fleet}: a release in none ${of}.`;
  const rest = others.map((one) => `, ${one.name} in ${one.environments}`).join('');
  return `Fleet ${fleet}: ${first.name} in ${first.environments} ${of}${rest}.`;
}

const NO_ENVIRONMENTS = 'The configuration has no environments.\n';

/** What is known of an environment, by the titles above. */
export const statusCells = (one: EnvironmentStatus): string[] => [
  one.environment,
  releaseText(one),
  one.lastApply?.at === undefined || one.lastApply.at === null ? '-' : columnTime(one.lastApply.at),
  whoText(one),
  one.lastApply === null ? '-' : didText(one.lastApply),
  seenText(one),
  waitingText(one).join(', ') || '-',
];

function releaseText({ release, created }: EnvironmentStatus): string {
  const own = created === null ? [] : [`creates ${created}`];
  const texts = [...(release === null ? [] : promotedTexts(release)), ...own];
  return texts.join(', ') || '-';
}

function promotedTexts({ name, objects, open, conflicts, hotfixes, behind }: PromotedRelease): string[] {
  const part = open === 0 || objects === null ? '' : ` (${Math.max(0, objects - open)} of ${objects})`;
  return [
    `${name}${part}`,
    ...(behind === 0 ? [] : [`${behind} behind`]),
    ...(conflicts === 0 ? [] : [countText(conflicts, 'conflict')]),
    ...(hotfixes === 0 ? [] : [countText(hotfixes, 'hotfix', 'hotfixes')]),
  ];
}

function whoText({ lastApply }: EnvironmentStatus): string {
  const apply = lastApply?.apply ?? undefined;
  if (apply === undefined) return '-';
  const commit = apply.git === undefined ? '' : `, ${apply.git.commit.slice(0, 8)}`;
  return `${personText(apply)}${commit}`;
}

/** Drift and requests left, as they were when somebody looked; an apply since may have changed both. */
function seenText({ seen }: EnvironmentStatus): string {
  if (seen === null) return '-';
  const unknown = seen.unknown === 0 ? [] : [`${seen.unknown} unknown`];
  const left = seen.remaining === null ? [] : [`${seen.remaining} requests left`];
  const drift = seen.drifted === 0 ? 'no drift' : `${seen.drifted} drifted`;
  const older = seen.sinceLastApply ? [] : ['before that apply'];
  return `${columnTime(seen.at)}: ${[drift, ...unknown, ...left, ...older].join(', ')}`;
}

function waitingText({ next, plans, imports, locks }: EnvironmentStatus): string[] {
  const verdicts = [
    ...(plans.approved === 0 ? [] : [`${plans.approved} approved`]),
    ...(plans.rejected === 0 ? [] : [`${plans.rejected} rejected`]),
  ];
  const judged = verdicts.length === 0 ? '' : ` (${verdicts.join(', ')})`;
  return [
    ...(next === null ? [] : [nextText(next)]),
    ...(plans.waiting === 0 ? [] : [`${countText(plans.waiting, 'plan')}${judged}`]),
    ...(imports.open === 0 ? [] : [countText(imports.open, 'open import')]),
    ...(imports.missing === 0 ? [] : [`${countText(imports.missing, 'row')} missing`]),
    ...locks.map((by) => `in use by ${by}`),
  ];
}

const nextText = ({ name, closed }: NextRelease): string =>
  closed.length === 0 ? `${name} may come` : `${name} (${closed.map(({ gate }) => gate).join(', ')})`;

/** Why nothing is known of an environment. */
export function statusNotes({ environment, known, problem }: EnvironmentStatus): string[] {
  if (problem !== undefined) return [`${problem.message}${problem.hint === undefined ? '' : ` ${problem.hint}`}`];
  if (known) return [];
  return [`Its workspace is not known here yet; \`dexsync env check ${environment}\` logs in once and remembers it.`];
}
