import type { Event } from '#core/stream/event.js';
import { rowPhrase } from './row-phrase.js';

/** What was left to the service, and how to go on with it. */
export function sentText({ address, runs }: Extract<Event, { type: 'sent' }>): string {
  return `${address}: sent${runs === undefined ? '' : ` as ${runs}`}. \`dexsync import resume ${importArgument(address, runs)}\` waits for it and commits it if its rule allows.\n`;
}

/** What was imported before, and how to import it all the same. */
export function settledText({ address, state, at, rows, failed, runs }: Extract<Event, { type: 'settled' }>): string {
  const by = runs === undefined ? '' : ` by ${runs}`;
  const failures = failed === 0 ? '' : ` (${failed} of ${rowPhrase(rows)} failed)`;
  const commit =
    state === 'committed'
      ? ''
      : ` but not committed. \`dexsync import commit ${importArgument(address, runs)}\` commits it`;
  return `${address} was ${state}${by} on ${at.slice(0, 10)}${failures}${commit}. \`--force\` sends its rows again.\n`;
}

/** How a command is told which import: by its first run, otherwise by its name. */
export const importArgument = (address: string, runs: string | undefined): string =>
  /\d+/.exec(runs ?? '')?.[0] ?? `"${address.slice(address.indexOf('/') + 1)}"`;
