import type { ObjectChange } from '#core/engine/release.js';
import type { Release, ReleaseChange } from '#core/model/release.js';
import type { CreatedRelease } from '../../operations/create-release.js';
import type { RecordedNote } from '../../operations/note-release.js';
import type { ReleaseDifferences, Releases, TransferredRelease } from '../../operations/releases.js';
import { countText } from './count-text.js';
import { fieldText } from './field-text.js';
import type { Palette } from './palette.js';
import { commitText, personText, pipelineText } from './provenance-text.js';
import { tableText } from './table.js';
import { columnTime, timeText } from './time-text.js';

/** A new release, or the one that says the same already. */
export function createdReleaseText({ release, isNew, requests }: CreatedRelease, palette: Palette): string {
  const name = releaseName(release);
  const spent = palette.dim(`Requests: ${requests} used.`);
  if (!isNew)
    return `Nothing changed in environment ${release.source} since ${palette.bold(name)}; no release was created.\n${spent}\n`;
  const what = `${countText(release.content.objects.length, 'object')}${sinceText(release)}`;
  const lines = release.number === 1 ? '' : changesLines(release, palette);
  return `${palette.green('Created')} ${palette.bold(name)}${named(release)} of ${what}.\n${lines}${spent}\n`;
}

/** `dev/r41` */
const releaseName = ({ source, number }: Pick<Release, 'source' | 'number'>): string => `${source}/r${number}`;

const named = ({ name }: Pick<Release, 'name'>): string => (name === undefined ? '' : ` ("${name}")`);

function sinceText({ number, changes }: Release): string {
  if (number === 1) return '';
  return `; since r${number - 1}: ${changesText(changes)}`;
}

/** `2 created, 1 changed`; `no change`. */
function changesText(changes: readonly ReleaseChange[]): string {
  const counts = (['created', 'changed', 'renamed', 'deleted'] as const).flatMap((is) => {
    const count = changes.filter((one) => one.is === is).length;
    return count === 0 ? [] : [`${count} ${is}`];
  });
  return counts.length === 0 ? 'no object changed' : counts.join(', ');
}

/** Changes that the screen shows of a new release. */
const MOST_SHOWN = 20;

function changesLines({ changes, ...release }: Release, palette: Palette): string {
  const more = changes.length - MOST_SHOWN;
  const lines = changes.slice(0, MOST_SHOWN).map((change) => `${changeText(change, palette)}\n`);
  const rest = more > 0 ? `  and ${more} more: \`dexsync release show ${releaseName(release)}\`\n` : '';
  return `${lines.join('')}${rest}`;
}

const MARKS = {
  created: ['+', 'green'],
  changed: ['~', 'yellow'],
  renamed: ['~', 'yellow'],
  deleted: ['-', 'red'],
} as const;

function changeText({ address, is, from }: ReleaseChange, palette: Palette): string {
  const [mark, tone] = MARKS[is];
  const before = from === undefined ? '' : ` from "${from.slice(from.indexOf('/') + 1)}"`;
  return `  ${palette[tone](mark)} ${palette.bold(address)}  ${palette[tone](is)}${before}`;
}

/** The releases of a stack, the newest of each environment first. */
export function releasesText({ releases }: Releases, width: number | undefined): string {
  if (releases.length === 0) return 'The ledger has no releases. `dexsync release create --from ENV` creates one.\n';
  const isInStages = releases.some(({ stages }) => stages.length > 0);
  const rows = releases.map((one) => [
    releaseName(one),
    one.name ?? '',
    columnTime(one.at),
    personText(one.by),
    String(one.objects),
    one.number === 1 ? '' : changesText(one.changes),
    one.note ?? '',
    ...(isInStages ? [one.stages.map(stageText).join(', ')] : []),
  ]);
  const head = ['RELEASE', 'NAME', 'CREATED (UTC)', 'BY', 'OBJECTS', 'CHANGES', 'NOTE', ...(isInStages ? ['IN'] : [])];
  return tableText(head, rows, width);
}

/** `test`; of a fleet, `sites 8 of 10`. */
const stageText = ({ stage, environments, of }: Releases['releases'][number]['stages'][number]): string =>
  of === 1 ? stage : `${stage} ${environments} of ${of}`;

/** A release: where it comes from, what it brings, and what changed since the one before. */
export function releaseText(release: Release, palette: Palette): string {
  const { content, note, at, by, applied, as, workspace, digest, changes } = release;
  const rows: [string, string][] = [
    [
      'Source',
      `environment ${release.source} (workspace "${workspace}"), ${as === 'live' ? 'as it was' : 'as it was applied'}`,
    ],
    ['Created', `${timeText(at)} by ${personText(by)}`],
    ...(by.git === undefined ? [] : [['Commit', commitText(by.git)] as [string, string]]),
    ...(by.ci === undefined ? [] : [['Pipeline', pipelineText(by.ci)] as [string, string]]),
    ...(applied === undefined ? [] : [['Applied', appliedText(applied)] as [string, string]]),
    ...(note === undefined ? [] : [['Note', note] as [string, string]]),
    ['Content', `${countText(content.objects.length, 'object')}, ${countText(content.imports.length, 'import')}`],
    ['Digest', digest],
  ];
  const head = rows.map(([title, text]) => `${title.padEnd(10)}${text}\n`).join('');
  const since = release.number === 1 ? '' : `\nSince r${release.number - 1}: ${changesText(changes)}.\n`;
  const lines = changes.map((change) => `${changeText(change, palette)}\n`).join('');
  return `${palette.bold(releaseName(release))}${named(release)}\n${head}${since}${release.number === 1 ? '' : lines}`;
}

function appliedText({ number, at, by }: NonNullable<Release['applied']>): string {
  const from = by?.git === undefined ? '' : ` from commit ${commitText(by.git)}`;
  return `by apply ${number} on ${timeText(at)}${by === undefined ? '' : ` by ${personText(by)}`}${from}`;
}

/** What somebody said about a release. */
export function releaseNoteText({ release, is, check, environment, by }: RecordedNote): string {
  if (check !== undefined)
    return `Recorded: "${check}" ${is} for ${release} in environment "${environment}", by ${by}.\n`;
  const where = environment === undefined ? 'any environment' : `"${environment}"`;
  return is === 'held'
    ? `${release} does not go to ${where} until \`dexsync release lift ${release}\`.\n`
    : `${release} may go to ${where} again.\n`;
}

/** Two releases, object by object. */
export function releaseDifferencesText({ from, to, objects, imports }: ReleaseDifferences, palette: Palette): string {
  const head = palette.bold(`Release ${from} compared with ${to}`);
  if (objects.length + imports.length === 0) return `${head}\n\n${palette.green('No differences.')}\n`;
  const body = objects.map((change) => `${objectText(change, palette)}\n`);
  const rows = imports.map(({ address, is }) => `  ${address}  ${is}\n`);
  const files = imports.length === 0 ? '' : `, ${countText(imports.length, 'import')} with other content`;
  return `${head}\n\n${[...body, ...rows].join('\n')}\n${palette.bold(`${changesText(objects)}${files}.`)}\n`;
}

function objectText(change: ObjectChange, palette: Palette): string {
  const lines = change.fields.map((field) => fieldText(field, 'both', palette).replaceAll(/^/gm, '      '));
  return [changeText(change, palette), ...lines].join('\n');
}

/** A release that went into a file, or came from one. */
export function transferredReleaseText({ release, file, digest, is }: TransferredRelease): string {
  const short = `digest ${digest.slice(0, 19)}`;
  if (is === 'exported') return `Wrote ${release} to ${file} (${short}).\n`;
  return is === 'imported'
    ? `Added ${release} from ${file} (${short}).\n`
    : `The ledger has ${release} already (${short}).\n`;
}
