import { readWholeXml } from './xml-events.js';

const DAY = 86_400_000;
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

/**
 * Formats a numeric cell as text: dates as ISO, a format of zeros with its zeros (00042, 12.10), anything else as a
 * plain decimal with the 15 digits that a spreadsheet holds, and never with an exponent. Whole numbers stay as the file writes them.
 */
export function numberText(raw: string, format: string, epoch: '1900' | '1904'): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  const shape = shapeOf(format);
  if (shape === 'date') return dateText(value, epoch) ?? decimalText(raw, value);
  const text = decimalText(raw, value);
  if (typeof shape === 'number') return withDecimals(text, shape);
  return shape !== 'decimal' && /^\d+$/.test(text) ? fillMask(text, shape) : text;
}

const DIGIT = Symbol('digit');
type Mask = readonly (string | typeof DIGIT)[];
/** A number: how many decimals are shown at least. */
type Shape = 'date' | 'decimal' | number | Mask;

const shapes = new Map<string, Shape>();

function shapeOf(format: string): Shape {
  const shape =
    shapes.get(format) ?? (isDateFormat(format) ? 'date' : (maskOf(format) ?? decimalsOf(format) ?? 'decimal'));
  shapes.set(format, shape);
  return shape;
}

/**
 * Places of digits and literals in a format for part numbers: at least two zeros, and neither a point nor groups of
 * thousands, since `0" mm"` and `#,##0.00` show quantities.
 */
function maskOf(format: string): Mask | undefined {
  const [first = ''] = format.split(';');
  const parts = first.match(/"[^"]*"|\\.|_.|0|./gs) ?? [];
  const mask: (string | typeof DIGIT)[] = [];
  for (const part of parts) {
    if (part === '0') mask.push(DIGIT);
    else if (part.startsWith('"')) mask.push(part.slice(1, -1));
    else if (part.startsWith('\\')) mask.push(part.slice(1));
    else if (/^[- ()+]$/.test(part)) mask.push(part);
    else if (!part.startsWith('_')) return undefined;
  }
  return mask.filter((part) => part === DIGIT).length >= 2 ? mask : undefined;
}

/** Decimals of a format such as 0.00, in which revisions and section numbers are shown; groups show quantities. */
const decimalsOf = (format: string): number | undefined => /^0\.(0+)(?:;|$)/.exec(format)?.[1]?.length;

/** Adds zeros that the cell shows. Never rounds. */
function withDecimals(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}

/** Fills digits into their places from the right; excess digits come before the first place. */
function fillMask(digits: string, mask: Mask): string {
  const places = mask.filter((part) => part === DIGIT).length;
  const filled = digits.padStart(places, '0');
  let at = filled.length - places;
  let first = true;
  return mask
    .map((part) => {
      if (part !== DIGIT) return part;
      const start = first ? 0 : at;
      first = false;
      at += 1;
      return filled.slice(start, at);
    })
    .join('');
}

/** Checks the first section without colours, quoted and escaped text. Elapsed times such as [h] are numbers. */
function isDateFormat(format: string): boolean {
  const bare = format.replace(/"[^"]*"|\\.|_./g, '');
  if (/\[(h+|m+|s+)\]/i.test(bare)) return false;
  const [first = ''] = bare.replace(/\[[^\]]*\]/g, '').split(';');
  return !/general|@/i.test(first) && /[ymdhs]/i.test(first);
}

function decimalText(raw: string, value: number): string {
  if (/^-?\d+$/.test(raw)) return raw;
  const text = String(Number(value.toPrecision(15)));
  return text.includes('e') ? withoutExponent(text) : text;
}

/** Writes `1.5e-7` as 0.00000015. */
function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length
    ? sign + digits.padEnd(point, '0')
    : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Converts serial days to a date, a time or both. The 1900 calendar has a 29 February 1900 that never existed. */
function dateText(serial: number, epoch: '1900' | '1904'): string | undefined {
  if (serial < 0) return undefined;
  const days = epoch === '1900' && serial >= 1 && serial < 60 ? serial + 1 : serial;
  const date = new Date(Math.round(((epoch === '1900' ? EPOCH_1900 : EPOCH_1904) + days * DAY) / 1000) * 1000);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined;
  const [day = '', time = ''] = date.toISOString().replace('.000Z', '').split('T');
  if (serial < 1 && epoch === '1900') return time;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

/** Formats of dates and times that workbooks do not contain, including those of East Asian languages (18.8.30). */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/** Reads the number formats of cell styles from a styles part (ECMA-376 part 1, 18.8.10 and 18.8.31). */
export async function readFormats(chunks: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let group = '';
  await readWholeXml(chunks, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmts' || name === 'cellXfs') group = name;
      else if (name === 'numFmt' && group === 'numFmts') codes.set(Number(numFmtId), formatCode ?? '');
      else if (name === 'xf' && group === 'cellXfs') styles.push(Number(numFmtId ?? 0));
    },
    close(name) {
      if (name === group) group = '';
    },
  });
  return styles.map((id) => codes.get(id) ?? builtInFormat(id));
}

/** All other formats show quantities, which are read alike. */
function builtInFormat(id: number): string {
  if (id === 2) return '0.00';
  return BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last) ? 'yyyy-mm-dd hh:mm' : 'General';
}
