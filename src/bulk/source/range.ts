import type { ImportSource } from '../../jobs/source.js';
import { columnOf } from './cell-address.js';
import { unreadable } from './sniff.js';

/** The part of a sheet that is read. Rows from 1, columns from 0, ends included. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const ALL: Range = { top: 1, bottom: Number.POSITIVE_INFINITY, left: 0, right: Number.POSITIVE_INFINITY };

/** `B5:H200`, `B5:H` or `B:H`; everything where none is given. */
export function rangeOf({ range, file }: Pick<ImportSource, 'range' | 'file'>): Range {
  if (range === undefined) return ALL;
  const [, left = '', top = '1', right = '', bottom] = /^([A-Z]+)(\d+)?:([A-Z]+)(\d+)?$/i.exec(range) ?? [];
  const found = {
    left: columnOf(left),
    top: Number(top),
    right: columnOf(right),
    bottom: bottom === undefined ? ALL.bottom : Number(bottom),
  };
  if (left !== '' && found.left <= found.right && found.top <= found.bottom) return found;
  throw unreadable(
    `The range "${range}" of ${file} is empty: it goes from its upper left to its lower right cell.`,
    'Write it like B5:H200, B5:H or B:H.',
  );
}
