import type { Drift, DriftedField, DriftedObject } from '#delivery/planning/drift-in-plan.js';
import { comparedText, driftedRows, importDriftText } from './import-drift-text.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';
import { cellText } from './table.js';
import { timeText } from './time-text.js';

/** Lists objects that were changed outside, and those whose drift is unknown. */
export const driftText = (found: Drift, palette: Palette): string =>
  driftWith(
    found,
    [
      ...found.objects.map((object) => driftedText(object, palette)),
      ...(found.imports ?? []).filter(isDrifted).map((one) => importDriftText(one, palette)),
    ].map((text) => `${text}\n`),
    palette,
  );

/** The totals of a drift, without the objects. */
export const driftSummaryText = (found: Drift, palette: Palette): string => driftWith(found, [], palette);

const isDrifted = (one: NonNullable<Drift['imports']>[number]): boolean => driftedRows(one) > 0;

function driftWith(found: Drift, body: readonly string[], palette: Palette): string {
  const { asked, unknown, unrecorded, unread, workspace, environment, requests, imports } = found;
  const head = palette.bold(`Drift of ${whereText({ environment, workspace })}`);
  const notes = [
    ...(asked.length === 0 ? [] : [`The manifests change ${objectCount(asked)}; \`dexsync plan\` shows how.`]),
    ...(unknown.length === 0
      ? []
      : [`This stack did not create or adopt ${objectCount(unknown)}, so drift there is unknown.`]),
    ...(unrecorded.length === 0
      ? []
      : [
          `Of fields that the manifests of ${objectCount(unrecorded)} do not name nothing is recorded, so drift there is unknown; the next apply that changes anything records them.`,
        ]),
    ...(unread === 0 ? [] : [unreadText(unread)]),
    ...(imports === undefined ? [] : comparedText(imports, palette)),
  ];
  const spent = palette.dim(`Requests: ${requests} used.`);
  return `${[head, '', ...body, ...resultText(found, palette), ...notes, spent].join('\n')}\n`;
}

function resultText({ objects, imports = [] }: Drift, palette: Palette): string[] {
  const drifted = imports.filter(isDrifted);
  const count = objects.length === 1 ? '1 object has' : `${objects.length} objects have`;
  const managed = objects.filter(({ checked }) => checked !== true);
  const fields = managed.flatMap((object) => object.fields);
  const isUnnamed = fields.some(({ named }) => !named);
  const isNamed = managed.some((object) => object.fields.length === 0) || fields.some(({ named }) => named);
  const ofObjects = [
    palette.bold(`${count} changed outside dexsync.`),
    ...(isNamed ? ['`dexsync apply` reverts the changes; `dexsync pull` writes them into the manifests.'] : []),
    ...(isUnnamed ? [UNNAMED] : []),
    ...(managed.length === objects.length ? [] : [checkedText(objects.length - managed.length)]),
  ].join(' ');
  const records = drifted.reduce((sum, one) => sum + driftedRows(one), 0);
  const ofRows = `${palette.bold(`${records === 1 ? '1 record of an import has' : `${records} records of imports have`} changed since.`)} \`dexsync apply --reimport NAME\` sends the rows of an import again.`;
  if (objects.length === 0 && drifted.length === 0)
    return [palette.green('No drift. Nothing that this stack applied has changed outside dexsync.')];
  return [...(objects.length === 0 ? [] : [ofObjects]), ...(drifted.length === 0 ? [] : [ofRows])];
}

function checkedText(count: number): string {
  const what = count === 1 ? '1 of them is a setting' : `${count} of them are settings`;
  return `${what} that the service only shows: an administrator has to change the workspace, or you the manifest.`;
}

const UNNAMED =
  'What is not in a manifest `dexsync apply` leaves as it is; `dexsync pull --drifted` writes it into the manifests, and `manage: full` in their metadata reverts it.';

function unreadText(count: number): string {
  const [lists, them, requests] =
    count === 1
      ? ['1 list of members, triggers, addresses or the like was', 'it', '1 request']
      : [`${count} lists of members, triggers, addresses or the like were`, 'them', `${count} requests`];
  return `${lists} not looked at; \`--children\` reads ${them} (${requests} more).`;
}

function driftedText({ address, what, fields, changedAt, changedBy }: DriftedObject, palette: Palette): string {
  const by = changedBy === undefined ? '' : ` by ${changedBy}`;
  const at = changedAt === undefined ? '' : ` at ${timeText(changedAt)}`;
  const who = by + at === '' ? '' : palette.dim(`  last changed${by}${at}`);
  const head = `  ${palette.yellow('~')} ${palette.bold(address)}  ${palette.yellow(what)}${who}`;
  return [head, ...fields.map((field) => `      ${fieldLine(field, palette)}`)].join('\n');
}

function fieldLine({ path, applied, now, desired, named }: DriftedField, palette: Palette): string {
  const own = desired === undefined ? '' : `, the manifest says ${cellText(desired)}`;
  const asked = named ? palette.dim(own) : palette.dim('  (not in the manifest)');
  const isOwn = path.endsWith(`[${String(now ?? applied)}]`);
  if (applied === undefined) return `${palette.green('+')} ${path}${isOwn ? '' : `: ${cellText(now)}`}${asked}`;
  if (now === undefined) return `${palette.red('-')} ${path}${isOwn ? '' : `: ${cellText(applied)}`}${asked}`;
  return `${palette.yellow('~')} ${path}: ${cellText(applied)} ${palette.dim('->')} ${cellText(now)}${asked}`;
}

const objectCount = ({ length }: readonly unknown[]): string => (length === 1 ? '1 object' : `${length} objects`);
