import type { EnvironmentFacts } from '../../operations/env-check.js';
import type { Palette } from './palette.js';
import { tableText } from './table.js';
import { timeText } from './time-text.js';

/** An environment that was contacted, and what its profile can do with each kind. */
export function environmentText(facts: EnvironmentFacts, palette: Palette, width: number | undefined): string {
  const { environment, url, production, profile, workspace, user, ledger, release, requests, capabilities, notified } =
    facts;
  const lines: [string, string][] = [
    ['Environment', `${environment}${production ? palette.red('  production') : ''}`],
    ['Service', `${url} (profile ${profile}, ${release === null ? 'release unknown' : `release ${release}`})`],
    ['Workspace', `${workspace.name} (${workspace.id})`],
    ['User', user],
    ['Ledger', ledger],
    ['Requests', requestsText(requests)],
  ];
  const rows = Object.entries(capabilities).map(([kind, can]) => [
    kind,
    truthCell(can.list),
    truthCell(can.create),
    [...can.update, ...(can.children ?? [])].join(', ') || '-',
    truthCell(can.delete),
  ]);
  const head = lines.map(([title, text]) => `${title.padEnd(12)} ${text}\n`).join('');
  const table = tableText(['KIND', 'LIST', 'CREATE', 'UPDATE', 'DELETE'], rows, width);
  return `${head}\n${table}${notified === undefined ? '' : notifiedText(notified, palette)}`;
}

function notifiedText(notified: NonNullable<EnvironmentFacts['notified']>, { green, red }: Palette): string {
  if (notified.length === 0) return '\nNo target of `notify` hears of this environment.\n';
  const lines = notified.map(({ target, failure }) =>
    failure === null ? `${green('✓')} ${target} got a test message.\n` : `${red('✗')} ${target}: ${failure}\n`,
  );
  return `\n${lines.join('')}`;
}

function requestsText({ limit, remaining, reset }: EnvironmentFacts['requests']): string {
  return `${leftText(remaining, limit)}${reset === null ? '' : `, reset at ${timeText(reset)}`}`;
}

function leftText(remaining: number | null, limit: number | null): string {
  if (remaining === null) return limit === null ? 'unknown' : `unknown, at most ${limit} a day`;
  return limit === null ? `${remaining} left today` : `${remaining} of ${limit} left today`;
}

const truthCell = (is: boolean): string => (is ? 'yes' : '-');
