import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseInstant } from '#data/bulk/compare/instant.js';
import {
  type CellReadingOptions,
  formOfField,
  formOfType,
  normalValue,
  type ValueForm,
} from '#data/bulk/compare/value-form.js';
import { SEED, scaled } from '../../../harness/sample.js';

const RUNS = { seed: SEED, numRuns: scaled(20_000, 500) };
const READING: CellReadingOptions = { delimiter: ';', timeZone: 'UTC', whiteSpace: 'STRIP' };
const same = (form: ValueForm, a: string, b: string, reading = READING): boolean =>
  normalValue(form, a, reading) === normalValue(form, b, reading);

const spaces = fc.constantFrom('', ' ', '\t', '  ', '\u00a0');
const padded = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(spaces, text, spaces).map((parts) => parts.join(''));

/** Spellings of one number that every reader takes for the same number. */
const numberTexts = fc
  .oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1000),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  .chain((value) =>
    fc.tuple(
      fc.constant(value),
      fc.constantFrom<(n: number) => string>(
        String,
        (n) => n.toExponential(),
        (n) => (Number(n.toFixed(6)) === n ? n.toFixed(6) : String(n)),
        (n) => (n >= 0 ? `+${n}` : String(n)),
        (n) => (n >= 0 ? `00${n}` : String(n)),
      ),
    ),
  )
  .map(([value, write]) => [value, write(value)] as const);

describe('each value has one normal form for all its spellings', () => {
  test('numbers are equal exactly if JavaScript reads them as one number', () => {
    fc.assert(
      fc.property(numberTexts, numberTexts, spaces, ([a, textA], [b, textB], space) => {
        expect(same('number', textA, `${space}${String(a)}${space}`)).toBe(true);
        expect(same('number', textA, textB)).toBe(a === b);
      }),
      RUNS,
    );
  });

  test('text that is neither number, date nor truth value keeps its own form', () => {
    for (const text of ['1,5', '1.5 kg', 'NaN', '0x10', 'Infinity', '1e999', '--1', '12%']) {
      expect(normalValue('number', ` ${text} `, READING)).toBe(text);
    }
    for (const text of ['2025-02-30', '2025-13-01', '01.02.2025', '2025-01-01T25:00', 'today', '2025-1-1']) {
      expect(normalValue('date', text, READING)).toBe(text);
    }
    for (const text of ['1', 'wahr', 'on']) expect(normalValue('boolean', text, READING)).toBe(text);
  });

  test('truth values are four words in any letter case', () => {
    for (const [a, b] of [
      ['TRUE', 'yes'],
      ['No', 'false'],
      [' Yes ', 'true'],
    ] as const)
      expect(same('boolean', a, b)).toBe(true);
    expect(same('boolean', 'true', 'false')).toBe(false);
  });

  test('texts differ by every character except white space at their ends and the kind of line break', () => {
    const texts = padded(fc.string({ unit: 'grapheme', maxLength: 6 }));
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(same('text', a, b)).toBe(a.trim().replaceAll('\r\n', '\n') === b.trim().replaceAll('\r\n', '\n'));
        const retain = { ...READING, whiteSpace: 'RETAIN' } as const;
        expect(same('text', a, b, retain)).toBe(a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n'));
      }),
      RUNS,
    );
  });

  test('choices have neither order nor letter case', () => {
    const options = fc.subarray(['CE', 'FCC', 'UL', 'UKCA', 'x y'], { minLength: 1 });
    const chosen = options.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    const write = (parts: readonly string[], flip: boolean): string =>
      parts.map((part) => ` ${flip ? part.toLowerCase() : part}`).join(' |');
    const reading = { ...READING, delimiter: '|' };
    fc.assert(
      fc.property(chosen, chosen, fc.boolean(), ([a, shuffled], [b], flip) => {
        expect(same('choices', write(a, flip), write(shuffled, !flip), reading)).toBe(true);
        expect(same('choices', write(a, flip), write(b, flip), reading)).toBe(
          [...a].sort().join() === [...b].sort().join(),
        );
      }),
      RUNS,
    );
  });

  test('designators are enumerated, in any order; leading zeros are part of a name', () => {
    const range = fc.tuple(
      fc.constantFrom('R', 'C_', 'LED'),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 12 }),
    );
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), fc.boolean(), (ranges, twice) => {
        const one = ranges
          .map(([prefix, from, more]) => `${prefix}${from}-${twice ? prefix : ''}${from + more}`)
          .join(', ');
        const all = ranges.flatMap(([prefix, from, more]) => {
          const names: string[] = [];
          for (let n = from; n <= from + more; n += 1) names.unshift(prefix + n);
          return names;
        });
        expect(same('designators', one, all.reverse().join(' '))).toBe(true);
        expect(same('designators', one, [...all, 'R99'].join(';'))).toBe(false);
      }),
      RUNS,
    );
    expect(same('designators', 'R01-R03', 'R01,R02,R03')).toBe(true);
    expect(same('designators', 'R01-R03', 'R1,R2,R3')).toBe(false);
    expect(same('designators', 'R1,R1', 'R1')).toBe(false);
    expect(same('designators', 'R3-R1', 'R1-R3')).toBe(false);
  });

  test('an empty cell is empty in every form', () => {
    for (const form of ['text', 'number', 'date', 'boolean', 'choices', 'designators'] as const) {
      expect(normalValue(form, '  ', READING)).toBe('');
    }
    expect(same('flag', '', 'no')).toBe(true);
  });

  test('known fields and types have their stated form, and new ones are text', () => {
    expect(['standardcost', 'shared', 'lifecyclephase.name', 'refdes', 'name', 'new'].map(formOfField)).toEqual([
      ...(['number', 'flag', 'choices', 'designators', 'text', 'text'] as const),
    ]);
    expect(['NUMBER', 'date', 'BOOLEAN', 'FIXED_DROP_DOWN', 'MULTI_LINE_TEXT', 'RICH_TEXT'].map(formOfType)).toEqual([
      ...(['number', 'date', 'boolean', 'choices', 'text', 'text'] as const),
    ]);
  });
});

const two = (n: number): string => String(n).padStart(2, '0');
const ZONES = ['America/Los_Angeles', 'Europe/Vienna', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'];
const offsets = fc
  .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 13 }), fc.constantFrom(0, 30, 45))
  .map(([sign, hours, minutes]) => `${sign}${two(hours)}:${two(minutes)}`);
const walls = fc.date({
  min: new Date('1985-01-01T00:00:00Z'),
  max: new Date('2060-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** What the clocks of a zone show, from another function of Intl than the one under test uses. */
function wallOf(instant: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const said = Object.fromEntries(parts.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return `${said.year}-${said.month}-${said.day}T${said.hour}:${said.minute}:${said.second}`;
}

describe('the instant of a date', () => {
  test('with an offset is the one that JavaScript reads', () => {
    fc.assert(
      fc.property(walls, offsets, fc.boolean(), (date, offset, compact) => {
        const wall = date.toISOString().slice(0, 19);
        const expected = new Date(`${wall}${offset}`).toISOString().replace('.000', '');
        expect(
          parseInstant(`${wall.replace('T', ' ')}${compact ? offset.replace(':', '') : offset}`, 'Asia/Tokyo'),
        ).toBe(expected);
      }),
      RUNS,
    );
  });

  test('without an offset is when clocks of the zone show it; only a time that the clocks skip differs', () => {
    fc.assert(
      fc.property(walls, fc.constantFrom(...ZONES), (date, zone) => {
        const wall = date.toISOString().slice(0, 19);
        const instant = parseInstant(wall, zone) ?? '';
        const shown = wallOf(instant, zone);
        if (shown === wall) return;
        const near = [-3, -2, -1, 1, 2, 3].map((half) =>
          wallOf(new Date(Date.parse(instant) + half * 1_800_000).toISOString(), zone),
        );
        expect(near).not.toContain(wall);
      }),
      { ...RUNS, numRuns: scaled(5000, 200) },
    );
  });

  test('without a time is its midnight, in both spellings', () => {
    fc.assert(
      fc.property(walls, (date) => {
        const day = date.toISOString().slice(0, 10);
        expect(parseInstant(day, 'UTC')).toBe(`${day}T00:00:00Z`);
        expect(parseInstant(day.replaceAll('-', ''), 'UTC')).toBe(`${day}T00:00:00Z`);
      }),
      RUNS,
    );
  });
});
