import { stringify } from 'yaml';
import type { ListedObject } from '#project/live/listing.js';
import type { Description } from '../../operations/describe.js';
import { fieldText } from './field-text.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { timeText } from './time-text.js';

/** Describes one object: the place of its manifest, its last applied step, and its state in the workspace. */
export function descriptionText(description: Description, palette: Palette): string {
  const { address, live, lastApplied, manifest } = description;
  const where = whereText(description);
  const lines = [
    palette.bold(address),
    `  Manifest      ${manifest === null ? 'none' : `${manifest.file}:${manifest.line}`}`,
    `  Last applied  ${lastApplied === null ? 'never, according to the ledger' : appliedText(lastApplied)}`,
    ...(lastApplied?.fields ?? []).map((field) =>
      fieldText(field, 'both', palette).replaceAll(/^/gm, '                '),
    ),
    ...(live.length === 0 ? [`  Live          not in ${where}`] : live.flatMap((one) => liveObjectLines(one, where))),
  ];
  return `${lines.join('\n')}\n`;
}

const appliedText = ({ at, actor, action, message, number }: NonNullable<Description['lastApplied']>): string =>
  `${timeText(at)}${actor === undefined ? '' : ` by ${actor.login}${actor.user === undefined ? '' : ` (${actor.user})`}`}: ${action} (${message}), apply ${number}`;

function liveObjectLines(
  { number, spec, outputs, createdAt, createdBy, changedAt, changedBy }: ListedObject,
  where: string,
): string[] {
  const called = number === undefined ? '' : `#${number}, `;
  return [
    `  Live          ${called}in ${where}`,
    ...timeLines('Created', createdAt, createdBy),
    ...timeLines('Changed', changedAt, changedBy),
    stringify({ ...spec, ...outputs }, { lineWidth: 0 })
      .trimEnd()
      .replaceAll(/^/gm, '    '),
  ];
}

const timeLines = (what: string, at: string | undefined, by: string | undefined): string[] =>
  at === undefined && by === undefined
    ? []
    : [`  ${what.padEnd(12)}  ${[at === undefined ? undefined : timeText(at), by].filter(Boolean).join(' by ')}`];
