import { InvalidArgumentError } from 'commander';

/** Longer ones would not fit into a timer. */
const LONGEST_SECONDS = 86_400;

/** Seconds, a fraction allowed, as milliseconds. */
export function parseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0.001 && value <= LONGEST_SECONDS) return Math.round(value * 1000);
  throw new InvalidArgumentError(`Give seconds from 0.001 to ${LONGEST_SECONDS}.`);
}

/** Seconds, or a number with its unit such as `90s`, `10m` and `6h`, as milliseconds. */
export function parseDuration(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text) ?? [];
  const seconds = number === '' ? Number.NaN : Number(number) * (UNITS[unit] ?? 1);
  if (seconds >= 1 && seconds <= LONGEST_SECONDS) return Math.round(seconds * 1000);
  throw new InvalidArgumentError('Give a time from 1s to 24h, such as 90s, 10m or 6h.');
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** Seconds for an option whose value may be left out, and which then takes the next word for it. */
export function parsePatience(text: string): number {
  try {
    return parseSeconds(text);
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidArgumentError(`${message} Without a number, put the option last or before another option.`);
  }
}

/** An option of which two different values are a mistake: the last one would win without a word. */
export function oneOnly(text: string, before: string | undefined): string {
  if (before === undefined || before === text) return text;
  throw new InvalidArgumentError(`It was given before, as "${before}".`);
}

/** A reader of whole numbers between two bounds, nine digits at most. */
export const wholeNumber =
  (least: number, most = 999_999_999) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };

/** A reader of `NAME=VALUE`, repeatable; the value may hold further equals signs. `noun` is what messages call the name. */
export const assignment =
  (noun: string, pattern = /./) =>
  (text: string, given: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const [name = '', ...value] = text.split('=');
    if (value.length === 0 || !pattern.test(name)) throw new InvalidArgumentError(`Write ${noun}=VALUE.`);
    return { ...given, [name]: value.join('=') };
  };

/** A reader of an option that may be repeated. */
export const collectTexts = (text: string, given: readonly string[] = []): string[] => [...given, text];
