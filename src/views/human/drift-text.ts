import type { Drift, DriftedField, DriftedObject } from '../../planning/drift-in-plan.js';
import type { Palette } from './palette.js';
import { cellText } from './table.js';
import { timeText } from './time-text.js';

/** What was changed outside, object by object, and what is unknown. */
export const driftText = (found: Drift, palette: Palette): string =>
  driftWith(
    found,
    found.objects.map((object) => `${driftedText(object, palette)}\n`),
    palette,
  );

/** The same without the objects. */
export const driftSummaryText = (found: Drift, palette: Palette): string => driftWith(found, [], palette);

function driftWith(
  { objects, asked, unknown, workspace, environment, requests }: Drift,
  body: readonly string[],
  palette: Palette,
): string {
  const head = palette.bold(`Drift of workspace "${workspace}" (environment ${environment})`);
  const count = objects.length === 1 ? '1 object has' : `${objects.length} objects have`;
  const result =
    objects.length === 0
      ? palette.green('No drift. Nothing that this stack applied has changed outside dexsync.')
      : `${palette.bold(`${count} changed outside dexsync.`)} \`dexsync apply\` reverts the changes; \`dexsync pull\` writes them into the manifests.`;
  const notes = [
    ...(asked.length === 0 ? [] : [`The manifests change ${objectCount(asked)}; \`dexsync plan\` shows how.`]),
    ...(unknown.length === 0
      ? []
      : [`This stack did not create or adopt ${objectCount(unknown)}, so drift there is unknown.`]),
  ];
  const spent = palette.dim(`Requests: ${requests} used.`);
  return `${[head, '', ...body, result, ...notes, spent].join('\n')}\n`;
}

function driftedText({ address, what, fields, changedAt, changedBy }: DriftedObject, palette: Palette): string {
  const by = changedBy === undefined ? '' : ` by ${changedBy}`;
  const at = changedAt === undefined ? '' : ` at ${timeText(changedAt)}`;
  const who = by + at === '' ? '' : palette.dim(`  last changed${by}${at}`);
  const head = `  ${palette.yellow('~')} ${palette.bold(address)}  ${palette.yellow(what)}${who}`;
  return [head, ...fields.map((field) => `      ${fieldLine(field, palette)}`)].join('\n');
}

function fieldLine({ path, applied, now, desired }: DriftedField, palette: Palette): string {
  const asked = desired === undefined ? '' : palette.dim(`, the manifest says ${cellText(desired)}`);
  const own = path.endsWith(`[${String(now ?? applied)}]`);
  if (applied === undefined) return `${palette.green('+')} ${path}${own ? '' : `: ${cellText(now)}`}${asked}`;
  if (now === undefined) return `${palette.red('-')} ${path}${own ? '' : `: ${cellText(applied)}`}${asked}`;
  return `${palette.yellow('~')} ${path}: ${cellText(applied)} ${palette.dim('->')} ${cellText(now)}${asked}`;
}

const objectCount = ({ length }: readonly unknown[]): string => (length === 1 ? '1 object' : `${length} objects`);
