import { InvalidArgumentError } from 'commander';
import { durationIn } from '../library/internal.js';

/** Longer waits would not fit into a timer. */
const LONGEST_SECONDS = 86_400;

/** Parses seconds, with an optional fraction, into milliseconds. */
export function parseSeconds(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0.001 && value <= LONGEST_SECONDS) return Math.round(value * 1000);
  throw new InvalidArgumentError(`Give seconds from 0.001 to ${LONGEST_SECONDS}.`);
}

/** Parses seconds, or a number with a unit such as `90s`, `10m` and `6h`, into milliseconds. */
export function parseDuration(text: string): number {
  const duration = durationIn(/\d$/.test(text) ? `${text}s` : text) ?? 0;
  if (duration >= 1000 && duration <= LONGEST_SECONDS * 1000) return duration;
  throw new InvalidArgumentError('Give a time from 1s to 24h, such as 90s, 10m or 6h.');
}

/** Parses seconds for an option with an optional value, which would take the next word for its value. */
export function parsePatience(text: string): number {
  try {
    return parseSeconds(text);
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidArgumentError(`${message} Without a number, put the option last or before another option.`);
  }
}

/** Refuses a second, different value of an option; otherwise the last one would win silently. */
export function singleValue(text: string, before: string | undefined): string {
  if (before === undefined || before === text) return text;
  throw new InvalidArgumentError(`It was given before, as "${before}".`);
}

/** Creates a parser of whole numbers between two bounds, with at most nine digits. */
export const wholeNumber =
  (least: number, most = 999_999_999) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };

/** Creates a parser of repeatable `NAME=VALUE`; the value may contain equals signs. `noun`: NAME in messages. */
export const assignment =
  (noun: string, pattern = /./) =>
  (text: string, given: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const [name = '', ...value] = text.split('=');
    if (value.length === 0 || !pattern.test(name)) throw new InvalidArgumentError(`Write ${noun}=VALUE.`);
    return { ...given, [name]: value.join('=') };
  };

/** Picks the flags that were given. */
export const pickGiven = <T, K extends keyof T>(flags: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]))) as Pick<T, K>;

/** Collects the values of an option that can be repeated. */
export const collectTexts = (text: string, given: readonly string[] = []): string[] => [...given, text];
