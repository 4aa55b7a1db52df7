import type { AcceptedLedger } from '../../operations/accept-ledger.js';
import type { CheckedLedger } from '../../operations/check-ledger.js';
import type { MovedLedger } from '../../operations/move-ledger.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { timeText } from './time-text.js';

/** The contents of a ledger, and its problems. */
export function ledgerText(checked: CheckedLedger, palette: Palette): string {
  const { environment, place, applies, problems } = checked;
  if (place === null || (applies === 0 && problems.length === 0))
    return `Nothing has been applied to environment ${environment} yet${place === null ? '' : ` (ledger in ${place})`}.\n`;
  const lines = [
    palette.bold(`Ledger of environment ${environment}, in ${place}`),
    `  ${countText(applies, 'apply', 'applies')}${spanText(checked)}${unfinishedText(checked)}`,
    `  ${countText(checked.objects, 'object')}, ${countText(checked.imports, 'import')}`,
    '',
    ...checked.torn.map(
      (journal) =>
        `${journal} ends within a line: a full disk or an ended process cut it off. It was never reported as done.`,
    ),
    ...problems.flatMap(({ message, hint }) => [
      `${palette.red('✗')} ${message}`,
      ...(hint === undefined ? [] : [`  ${hint}`]),
    ]),
    problems.length === 0
      ? palette.green('Every journal is as it was written.')
      : palette.red(`${countText(problems.length, 'problem')} found.`),
  ];
  return `${lines.join('\n')}\n`;
}

const spanText = ({ first, last }: CheckedLedger): string =>
  first === undefined || last === undefined ? '' : `, from ${timeText(first)} to ${timeText(last)}`;

const unfinishedText = ({ unfinished }: CheckedLedger): string =>
  unfinished === 0 ? '' : `; ${unfinished} did not finish, or ${unfinished === 1 ? 'is' : 'are'} still running`;

/** What was moved, and what happens to commands that still use the old ledger. */
export function movedLedgerText({ environment, workspace, from, to, copied, ...moved }: MovedLedger): string {
  const { applies, plans, releases, rollouts } = moved;
  const others = [
    ...(plans === 0 ? [] : [countText(plans, 'saved plan')]),
    ...(releases === 0 ? [] : [countText(releases, 'release')]),
    ...(rollouts === 0 ? [] : [countText(rollouts, 'rollout')]),
  ];
  const what = [...(applies === 0 ? [] : [countText(applies, 'apply', 'applies')]), ...others];
  const all = what.length < 3 ? what.join(' and ') : `${what.slice(0, -1).join(', ')} and ${what.at(-1)}`;
  return (
    `Moved ${all} of ${whereText({ environment, workspace })} from ${from} to ${to}` +
    `${copied === applies ? '' : ` (${copied} copied now, the others before)`}.\n` +
    (applies === 0 ? '' : 'The old ledger stays as it is, but is closed: commands that still use it are refused.\n')
  );
}

/** Names the journal that is lost, and how to recover its objects. */
export const acceptedLedgerText = ({ environment, workspace, place, journal }: AcceptedLedger): string =>
  `The ledger of ${whereText({ environment, workspace })} in ${place} goes on without ${journal}.\n` +
  'See what is left with `dexsync plan`; `dexsync adopt` takes objects back that the lost journal recorded.\n';
