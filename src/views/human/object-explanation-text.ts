import type { FieldExplanation, FieldRule, ObjectExplanation } from '../../engine/explain-object.js';
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

/** Which rule decided about an object and each of its fields. */
export function objectExplanationText(explained: ObjectExplanation, palette: Palette): string {
  const { address, owner, action, reason, origin, fields } = explained;
  const whose = owner === 'absent' ? 'not in the workspace' : `owned by ${owner}`;
  const head = [
    palette.bold(`${address}: ${action}`),
    `  ${reason}`,
    palette.dim(`  ${origin.file}:${origin.line}, ${whose}`),
    '',
  ];
  return `${[...head, ...fields.map((field) => fieldRuleText(field, palette))].join('\n')}\n`;
}

function fieldRuleText({ path, rule, desired, applied, observed, origin }: FieldExplanation, palette: Palette): string {
  const place = origin === undefined ? '' : palette.dim(`  ${origin.file}:${origin.line}`);
  const sides = [
    ...(desired === undefined ? [] : [`manifest ${cellText(desired)}`]),
    ...(applied === undefined ? [] : [`last applied ${cellText(applied)}`]),
    ...(observed === undefined ? [] : [`workspace ${cellText(observed)}`]),
  ];
  const mark = ['asked', 'drift', 'both', 'differs', 'initial'].includes(rule) ? palette.yellow('~') : ' ';
  return `  ${mark} ${palette.bold(path)}  ${RULE_WORDS[rule]}${place}${sides.length === 0 ? '' : `\n      ${palette.dim(sides.join(', '))}`}`;
}
