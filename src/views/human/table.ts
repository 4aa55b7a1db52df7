import Table from 'cli-table3';
import { stringify } from 'yaml';
import type { Json } from '../../model/json.js';

const GAP = 2;
const NARROWEST = 6;

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

/**
 * Rows under a head, fitted to the terminal: the widest columns give way first, and what is cut ends in an ellipsis.
 * Without a width (no terminal) nothing is cut.
 */
export function tableText(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const natural = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(lengthOf)),
  );
  const widths = width === undefined ? natural : fitWidths(natural, width - GAP * head.length);
  const table = new Table({
    head: [...head],
    chars: BORDERLESS,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GAP },
    colWidths: widths.map((one) => one + GAP),
  });
  for (const row of rows) table.push(row.map(oneLine));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}

/** A value in a cell: lists as their entries, nothing as nothing. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  return typeof value === 'object' ? yamlFlow(value) : String(value);
}

/** `{ resource: CHANGE, actions: [ READ ] }`, as it would stand in a manifest. */
const yamlFlow = (value: Json): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const lengthOf = (text: string): number => [...oneLine(text)].length;

function fitWidths(natural: readonly number[], room: number): number[] {
  const widths = [...natural];
  for (;;) {
    const widest = Math.max(...widths);
    if (widths.reduce((sum, one) => sum + one, 0) <= room || widest <= NARROWEST) return widths;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}
