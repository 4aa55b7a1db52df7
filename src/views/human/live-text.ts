import { stringify } from 'yaml';
import type { ListedObject, Listing } from '../../live/listing.js';
import type { Json } from '../../model/json.js';
import type { Description } from '../../operations/describe.js';
import type { EnvironmentFacts } from '../../operations/env-check.js';
import type { Quota } from '../../operations/quota.js';
import { fieldText } from './field-text.js';
import type { Palette } from './palette.js';
import { cellText, tableText } from './table.js';

const fieldValue = ({ spec, outputs }: ListedObject, field: string): Json | undefined =>
  spec[field] ?? outputs?.[field];

/** The objects as a table; columns that are empty everywhere are left out. */
export function listingText({ type, columns, objects }: Listing, width: number | undefined): string {
  if (objects.length === 0) return `No ${type} objects in the workspace.\n`;
  const numbered = objects.some(({ number }) => number !== undefined);
  const used = columns.filter((column) => objects.some((object) => cellText(fieldValue(object, column)) !== ''));
  const head = ['NAME', ...(numbered ? ['#'] : []), ...used.map(columnTitle)];
  const rows = objects.map((object) => [
    object.name,
    ...(numbered ? [cellText(object.number)] : []),
    ...used.map((column) => cellText(fieldValue(object, column))),
  ]);
  return tableText(head, rows, width);
}

const columnTitle = (field: string): string => field.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase();

export function descriptionText(description: Description, palette: Palette): string {
  const { address, workspace, live, lastApplied, manifest } = description;
  const lines = [
    palette.bold(address),
    `  Manifest      ${manifest === null ? 'none' : `${manifest.file}:${manifest.line}`}`,
    `  Last applied  ${lastApplied === null ? 'never by dexsync, as far as the ledger tells' : appliedText(lastApplied)}`,
    ...(lastApplied?.fields ?? []).map((field) =>
      fieldText(field, 'both', palette).replaceAll(/^/gm, '                '),
    ),
    ...(live.length === 0
      ? [`  Live          not in workspace "${workspace}"`]
      : live.flatMap((one) => liveObjectLines(one, workspace))),
  ];
  return `${lines.join('\n')}\n`;
}

const appliedText = ({ at, actor, action, message, number }: NonNullable<Description['lastApplied']>): string =>
  `${at}${actor === undefined ? '' : ` by ${actor.login}${actor.user === undefined ? '' : ` (${actor.user})`}`}: ${action} (${message}), apply ${number}`;

function liveObjectLines(
  { number, spec, outputs, createdAt, createdBy, changedAt, changedBy }: ListedObject,
  workspace: string,
): string[] {
  const called = number === undefined ? '' : `#${number}, `;
  return [
    `  Live          ${called}in workspace "${workspace}"`,
    ...timeLines('Made', createdAt, createdBy),
    ...timeLines('Changed', changedAt, changedBy),
    stringify({ ...spec, ...outputs }, { lineWidth: 0 })
      .trimEnd()
      .replaceAll(/^/gm, '    '),
  ];
}

const timeLines = (what: string, at: string | undefined, by: string | undefined): string[] =>
  at === undefined && by === undefined ? [] : [`  ${what.padEnd(12)}  ${[at, by].filter(Boolean).join(' by ')}`];

export function quotaText(
  { workspace, limit, remaining, reset, users, log, used }: Quota,
  palette: Palette,
  width: number | undefined,
): string {
  const left =
    remaining === null ? 'The service does not tell how many requests are left' : `${remaining} requests left`;
  const of = limit === null ? '' : ` of ${limit}`;
  const until = reset === null ? '' : `, until ${reset}`;
  const rows = users.map(({ user, integration, requests }) => [user, integration ?? '', String(requests)]);
  const table = rows.length === 0 ? '' : `\n${tableText(['USER', 'INTEGRATION', 'REQUESTS'], rows, width)}`;
  const cut =
    log === 'cut' ? palette.yellow('The log is longer than what was read; the counts are of its beginning.\n') : '';
  return `${palette.bold(`${left}${of} in workspace "${workspace}"${until}.`)}\n${table}${cut}${palette.dim(`Requests: ${used} used by this command.`)}\n`;
}

const YES_NO = { yes: 'yes', no: '-' } as const;

export function environmentText(facts: EnvironmentFacts, palette: Palette, width: number | undefined): string {
  const { environment, url, production, profile, workspace, user, release, requests, capabilities } = facts;
  const lines: [string, string][] = [
    ['Environment', `${environment}${production ? palette.red('  production') : ''}`],
    ['Service', `${url} (profile ${profile}, ${release === null ? 'release not told' : `release ${release}`})`],
    ['Workspace', `${workspace.name} (${workspace.id})`],
    ['User', user],
    ['Requests', requestsText(requests)],
  ];
  const rows = Object.entries(capabilities).map(([kind, can]) => [
    kind,
    YES_NO[can.list],
    YES_NO[can.create],
    [...can.update, ...(can.children ?? [])].join(', ') || '-',
    YES_NO[can.delete],
  ]);
  const head = lines.map(([title, text]) => `${title.padEnd(12)} ${text}\n`).join('');
  return `${head}\n${tableText(['KIND', 'LIST', 'CREATE', 'UPDATE', 'DELETE'], rows, width)}`;
}

function requestsText({ limit, remaining, reset }: EnvironmentFacts['requests']): string {
  const left = remaining === null ? 'not told' : `${remaining} left`;
  return `${left}${limit === null ? '' : ` of ${limit} a day`}${reset === null ? '' : `, until ${reset}`}`;
}
