import { html, type Part } from '#base/pages/markup.js';
import { time, withCommands } from './frame.js';

/** Something that somebody asked the page to do and that takes a while, in the memory of the server. */
export interface Errand {
  readonly by: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** What came of it; undefined while it lasts. */
  readonly ended?: { readonly error?: string };
}

/** What is going on, or why it failed; what it found is shown elsewhere. `doing`: such as `looks for drift`. */
export function errandText(errand: Errand | undefined, doing: string, what: string): Part {
  if (errand === undefined) return undefined;
  const { by, at, ended } = errand;
  if (ended === undefined) return html`<p class="note" role="status">${by} ${doing} since ${time(at)}…</p>`;
  return (
    ended.error !== undefined &&
    html`<p class="outcome bad">${what} of ${time(at)} failed: ${withCommands(ended.error)}</p>`
  );
}
