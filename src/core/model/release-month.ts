const MONTHS = 12;
const MONTHS_OF_RELEASE = 3;

/**
 * The date of a release in months, from `2025.3` or from a month such as `2025-03`: the n-th release of a year comes in
 * its 3n-th month (interface, section 9). Undefined for any other text.
 */
export function releaseMonth(text: string): number | undefined {
  const [, year, separator, number] = /^(\d{4})([.-])(\d{1,2})$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  return Number(year) * MONTHS + Number(number) * (separator === '.' ? MONTHS_OF_RELEASE : 1);
}
