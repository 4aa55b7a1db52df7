import type { Dialect } from './dialect.js';

/** The release that a workspace imitates by default (wire-facts 0, "service version"). */
export const LATEST_RELEASE = '2025.4';

const FORM = /^(\d{4})\.(\d{1,2})$/;
const ABSENT = { list: false, create: false, update: [], delete: false } as const;

/** The releases that introduced the number reservations and TRAINING (interface 9). */
const RESERVATIONS_SINCE = '2025.1';
const TRAINING_SINCE = '2025.2';

/** Whether a text is a release such as 2025.4: year and number (interface 9). */
export function isRelease(text: string): boolean {
  return FORM.test(text);
}

/** Returns a dialect as of a release: collections that were introduced later have no route. */
export function dialectAt(dialect: Dialect, release: string): Dialect {
  if (!isBefore(release, RESERVATIONS_SINCE)) return dialect;
  return { ...dialect, capabilities: { ...dialect.capabilities, numberReservations: ABSENT } };
}

/** Returns the allowed assignability of groups (wire-facts 7; TRAINING: interface 2.4 and 9). */
export function assignabilityAt(release: string): readonly string[] {
  const values = ['POLICIES', 'CHANGES', 'QUALITY'];
  return isBefore(release, TRAINING_SINCE) ? values : [...values, 'TRAINING'];
}

function isBefore(release: string, other: string): boolean {
  return order(release) < order(other);
}

function order(release: string): number {
  const [, year = '0', number = '0'] = FORM.exec(release) ?? [];
  return Number(year) * 100 + Number(number);
}
