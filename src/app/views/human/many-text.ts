import type { ExitCode } from '#base/errors.js';
import { countText } from './count-text.js';

/** The environment that the next lines are about. */
export const environmentHeading = (environment: string): string => `\n== ${environment} ==\n`;

/** What an exit code says of an environment in which a command read. */
const MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed',
  2: 'with differences',
  3: 'with errors in the configuration or manifests',
  4: 'with something blocked or left to a person',
  5: 'with a stale plan',
  6: 'refused the login',
  7: 'in use by others',
  8: 'with failed rows',
  130: 'interrupted',
};

const SHOWN = 10;

/** How many environments ended alike, with the names of those that did not end with 0. */
export function environmentsSummary(codes: ReadonlyMap<string, ExitCode>): string {
  const groups = new Map<ExitCode, string[]>();
  for (const [name, code] of codes) groups.set(code, [...(groups.get(code) ?? []), name]);
  const lines = [...groups]
    .sort(([one], [other]) => one - other)
    .map(([code, names]) => `  ${names.length} ${MEANINGS[code]}${code === 0 ? '' : `: ${namesText(names)}`}\n`);
  return `\n${countText(codes.size, 'environment')}:\n${lines.join('')}`;
}

/** The first names, and how many more there are. */
export const namesText = (names: readonly string[]): string =>
  names.length <= SHOWN ? names.join(', ') : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
