import type { ErrorGroup } from '../../bulk/errors/cause-groups.js';
import { quoted } from '../../printable.js';
import type { Palette } from './palette.js';

const MOST_CAUSES = 10;
const WIDTH = 6;

/** Why rows failed, most frequent first: how many, in plain words, for example which, and what to do. */
export function causesText(groups: readonly ErrorGroup[], palette: Palette): string {
  const lines = groups.slice(0, MOST_CAUSES).map((group) => causeText(group, palette));
  const hidden = groups.length - lines.length;
  const more = hidden > 0 ? `${' '.repeat(WIDTH + 2)}... and ${hidden} further causes\n` : '';
  return `${lines.join('')}${more}`;
}

function causeText({ code, message, count, explanation, advice, samples }: ErrorGroup, palette: Palette): string {
  const said = code === undefined ? message : `${message} ${palette.dim(`(${code})`)}`;
  const [first = said, ...others] = explanation === undefined ? [said] : [palette.bold(explanation), said];
  const examples = samples.map(sampleText).join(', ');
  const texts = [
    ...others,
    ...(examples === '' ? [] : [palette.dim(examples)]),
    ...(advice === undefined ? [] : [advice]),
  ];
  const indent = ' '.repeat(WIDTH + 2);
  return `${String(count).padStart(WIDTH)}  ${first}\n${texts.map((text) => `${indent}${text}\n`).join('')}`;
}

function sampleText({ row, key, column, value }: ErrorGroup['samples'][number]): string {
  const place = row === undefined ? 'a row that was not found' : `row ${row}`;
  if (column === undefined) return key === undefined || key === '' ? place : `${place} "${key}"`;
  return `${place} ${column} ${quoted(value ?? '')}`;
}
