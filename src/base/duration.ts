const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The milliseconds of a text such as `90s`, `1.5h` or `7d`; undefined if it is none. */
export function durationIn(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,5}(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  return unit === undefined ? undefined : Math.round(Number(number) * UNITS[unit as keyof typeof UNITS]);
}
