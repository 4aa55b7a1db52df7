import type { Origin } from '#base/diagnostics.js';
import type { FieldExplanation, FieldRule, ObjectExplanation } from '#core/engine/explain-object.js';
import type { JobExplanation, RecordedRuns } from '#core/jobs/explain-job.js';
import type { PlanExplanation } from '../../operations/explain-plan.js';
import { countText } from './count-text.js';
import type { Palette } from './palette.js';
import { cellText } from './table.js';

const RULE_WORDS: Readonly<Record<FieldRule, string>> = {
  equal: 'matches the manifest',
  asked: 'changed in the manifest since the last apply',
  drift: 'changed outside since the last apply',
  both: 'changed outside and in the manifest since the last apply',
  differs: 'differs; no earlier apply recorded it',
  unnamed: 'not in the manifest: left as it is',
  released: 'no longer in the manifest: left as it is',
  ignored: 'in `metadata.ignore`: neither compared nor sent',
  hidden: 'not returned by the service: not compared',
  initial: 'set when the object is created',
};

/** Explains the decision about an object and each of its fields, or about an import. */
export const objectExplanationText = (explained: PlanExplanation, palette: Palette): string =>
  'fields' in explained ? objectText(explained, palette) : jobText(explained, palette);

function objectText(explained: ObjectExplanation, palette: Palette): string {
  const { address, owner, action, reason, origin, fields } = explained;
  const whose = owner === 'absent' ? 'not in the workspace' : `owned by ${owner}`;
  const head = [
    palette.bold(`${address}: ${action}`),
    `  ${reason}`,
    palette.dim(`  ${origin.file}:${origin.line}${layerText(origin)}, ${whose}`),
    '',
  ];
  return `${[...head, ...fields.map((field) => fieldRuleText(field, palette))].join('\n')}\n`;
}

function jobText(explained: JobExplanation, palette: Palette): string {
  const { address, action, reason, origin, file, rows, findings, key, definition, mode, needs, when } = explained;
  const facts: [string, string][] = [
    ['source', `${file} (${countText(rows, 'row')}, ${countText(findings.errors, 'error')})`],
    ['definition', mode === undefined ? definition : `${definition} (${mode})`],
    ['commit', `${cellText(explained.commit)}${when === 'always' ? ', sent at each apply (when: always)' : ''}`],
    ['key', key],
    ['earlier runs', recordedText(explained.recorded)],
    ...(needs.length === 0 ? [] : [['after', needs.join(', ')] as [string, string]]),
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  const head = [
    palette.bold(`${address}: ${action}`),
    `  ${reason}`,
    palette.dim(`  ${origin.file}:${origin.line}`),
    '',
  ];
  const lines = facts.map(([name, text]) => `  ${palette.bold(name.padEnd(width))}  ${text}`);
  return `${[...head, ...lines].join('\n')}\n`;
}

function recordedText(recorded: RecordedRuns | null): string {
  if (recorded === null) return 'none under this key';
  const { state, from, runs, at, rows, failed, committed } = recorded;
  const counts = [
    ...(rows === undefined ? [] : [countText(rows, 'row')]),
    ...(failed === undefined ? [] : [`${failed} failed`]),
    ...(committed === undefined ? [] : [`${committed} committed`]),
  ];
  const when = at === undefined ? '' : ` on ${at.slice(0, 10)}`;
  return `${state}${runs === null ? '' : ` by ${runs}`}${when}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}, from the ${from}`;
}

/** The overlay, variable or row of a value that is not written in the manifest. */
function layerText({ layer, filledBy, row }: Origin): string {
  const parts = [layer === 'base' ? undefined : layer, filledBy, row].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function fieldRuleText({ path, rule, desired, applied, observed, origin }: FieldExplanation, palette: Palette): string {
  const place = origin === undefined ? '' : palette.dim(`  ${origin.file}:${origin.line}${layerText(origin)}`);
  const sides = [
    ...(desired === undefined ? [] : [`manifest ${cellText(desired)}`]),
    ...(applied === undefined ? [] : [`last applied ${cellText(applied)}`]),
    ...(observed === undefined ? [] : [`workspace ${cellText(observed)}`]),
  ];
  const mark = ['asked', 'drift', 'both', 'differs', 'initial'].includes(rule) ? palette.yellow('~') : ' ';
  return `  ${mark} ${palette.bold(path)}  ${RULE_WORDS[rule]}${place}${sides.length === 0 ? '' : `\n      ${palette.dim(sides.join(', '))}`}`;
}
