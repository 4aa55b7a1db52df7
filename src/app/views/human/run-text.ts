/** ` (run #7)`, after the name of an import, export or extract; empty if the service gave no number. */
export const runSuffix = (number: number | undefined): string => (number === undefined ? '' : ` (run #${number})`);

/** `run #12`, `runs #12 to #14`; undefined without numbers. */
export function runsText(numbers: readonly number[]): string | undefined {
  const [first, last] = [numbers.at(0), numbers.at(-1)];
  if (first === undefined) return undefined;
  return first === last ? `run #${first}` : `runs #${first} to #${last}`;
}
