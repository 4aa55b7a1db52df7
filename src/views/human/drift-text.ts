import type { Drift, DriftedField, DriftedObject } from '../../planning/drift-in-plan.js';
import type { Palette } from './palette.js';
import { cellText } from './table.js';

/** What was changed outside, object by object, and what cannot be told. */
export function driftText(
  { objects, asked, unknown, workspace, environment, requests }: Drift,
  palette: Palette,
): string {
  const head = palette.bold(`Drift of workspace "${workspace}" (environment ${environment})`);
  const body = objects.map((object) => `${driftedText(object, palette)}\n`);
  const count = objects.length === 1 ? '1 object was' : `${objects.length} objects were`;
  const result =
    objects.length === 0
      ? palette.green('No drift: nothing that this stack last applied was changed outside.')
      : `${palette.bold(`${count} changed outside.`)} \`dexsync apply\` sets them back; take a change over by writing it into the manifest.`;
  const notes = [
    ...(asked.length === 0 ? [] : [`${objectCount(asked)} to change by the manifests; \`dexsync plan\` shows it.`]),
    ...(unknown.length === 0
      ? []
      : [`${objectCount(unknown)} not made or adopted by this stack: nothing was recorded of it.`]),
  ];
  const spent = palette.dim(`Requests: ${requests} used.`);
  return `${[head, '', ...body, result, ...notes, spent].join('\n')}\n`;
}

function driftedText({ address, what, fields, changedAt, changedBy }: DriftedObject, palette: Palette): string {
  const by = changedBy === undefined ? '' : ` by ${changedBy}`;
  const at = changedAt === undefined ? '' : ` at ${changedAt}`;
  const who = by + at === '' ? '' : palette.dim(`  last changed${by}${at}`);
  const head = `  ${palette.yellow('~')} ${palette.bold(address)}  ${palette.yellow(what)}${who}`;
  return [head, ...fields.map((field) => `      ${fieldLine(field, palette)}`)].join('\n');
}

function fieldLine({ path, applied, now, desired }: DriftedField, palette: Palette): string {
  const asked = desired === undefined ? '' : palette.dim(`, the manifest asks for ${cellText(desired)}`);
  const own = path.endsWith(`[${String(now ?? applied)}]`);
  if (applied === undefined) return `${palette.green('+')} ${path}${own ? '' : `: ${cellText(now)}`}${asked}`;
  if (now === undefined) return `${palette.red('-')} ${path}${own ? '' : `: ${cellText(applied)}`}${asked}`;
  return `${palette.yellow('~')} ${path}: ${cellText(applied)} ${palette.dim('->')} ${cellText(now)}${asked}`;
}

const objectCount = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 object is' : `${length} objects are`;
