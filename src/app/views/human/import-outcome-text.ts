import type { Event } from '#core/stream/event.js';
import { rowPhrase } from './row-phrase.js';

/** Names an import that was left to the service, and the command that resumes it. */
export function sentText({ address, runs }: Extract<Event, { type: 'sent' }>): string {
  return `${address}: sent${runs === undefined ? '' : ` as ${runs}`}. \`dexsync import resume ${importArgument(address, runs)}\` waits for it and commits it if its rule allows.\n`;
}

/** Names an earlier import of the same rows, and how to import them nevertheless. */
export function settledText({ address, state, at, rows, failed, runs }: Extract<Event, { type: 'settled' }>): string {
  const by = runs === undefined ? '' : ` by ${runs}`;
  const failures = failed === 0 ? '' : ` (${failed} of ${rowPhrase(rows)} failed)`;
  const commit =
    state === 'committed'
      ? ''
      : ` but not committed. \`dexsync import commit ${importArgument(address, runs)}\` commits it`;
  return `${address} was ${state}${by} on ${at.slice(0, 10)}${failures}${commit}. \`--force\` sends its rows again.\n`;
}

/** The argument that names an import: its first run, otherwise its name. */
export const importArgument = (address: string, runs: string | undefined): string =>
  /\d+/.exec(runs ?? '')?.[0] ?? `"${address.slice(address.indexOf('/') + 1)}"`;
