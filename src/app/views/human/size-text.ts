const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Bytes as people read them, in steps of a thousand. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const step = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** step).toFixed(1)} ${UNITS[step - 1]}`;
}
