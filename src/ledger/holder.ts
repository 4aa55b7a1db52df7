import { isObject } from '#core/model/json.js';
import type { FoundLease, Holder } from './lease.js';

const TEXTS = ['service', 'login', 'environment', 'command', 'token', 'host', 'user'] as const;

/** Whether a value, from a file that anybody may have edited, has every field that is read of a holder. */
export function isHolder(value: unknown): value is Holder {
  if (!isObject(value) || !TEXTS.every((field) => typeof value[field] === 'string')) return false;
  const { pid, startedAt, lifetime, reason, machine, born } = value;
  const numbers = Number.isSafeInteger(pid) && Number(pid) > 0 && typeof lifetime === 'number' && lifetime > 0;
  const optional = [reason, machine, born].every((text) => text === undefined || typeof text === 'string');
  return numbers && optional && typeof startedAt === 'string' && !Number.isNaN(Date.parse(startedAt));
}

/** Describes who has a lease, for the middle of a sentence. */
export function holderText({ holder, silentFor }: FoundLease, now: Date): string {
  return `${processText(holder)}, ${sinceText(holder, now)}; last seen ${durationText(silentFor)} ago`;
}

/** Describes who has a lease, without when it was last seen. */
export const waitedForText = ({ holder }: FoundLease, now: Date): string =>
  `${processText(holder)}, ${sinceText(holder, now)}`;

const processText = ({ command, user, host, pid, reason }: Holder): string =>
  `"${command}" of ${user} on ${host} (process ${pid}${reason === undefined ? '' : `, "${reason}"`})`;

/** The local time; with the date if it was not today. */
function sinceText({ startedAt }: Holder, now: Date): string {
  const start = new Date(startedAt);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  const time = `${twoDigits(start.getHours())}:${twoDigits(start.getMinutes())}`;
  const day = `${start.getFullYear()}-${twoDigits(start.getMonth() + 1)}-${twoDigits(start.getDate())} `;
  const shown = start.toDateString() === now.toDateString() ? time : `${day}${time}`;
  return `since ${shown} (${durationText(now.getTime() - start.getTime())})`;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** Formats a duration in its largest whole unit. Clocks of two machines may differ: no time is in the future. */
export function durationText(milliseconds: number): string {
  const found = UNITS.find(([, length]) => milliseconds >= length);
  if (found === undefined) return 'less than a second';
  const [unit, size] = found;
  const count = Math.floor(milliseconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
