import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { Release, ReleaseChange } from '#core/model/release.js';
import type { ReleaseNote } from '#ledger/release-notes.js';
import type { ReleaseFacts, Releases } from '../../operations/releases.js';
import type { EnvironmentStatus } from '../../operations/status.js';
import { countText } from '../human/count-text.js';
import { namesText } from '../human/many-text.js';
import { commitText, personText } from '../human/provenance-text.js';
import { releaseLink } from './environment-cells.js';
import { tag, time } from './frame.js';

const nameOf = ({ source, number }: Pick<Release, 'source' | 'number'>): string => `${source}/r${number}`;

/** All releases, the newest of each environment first. */
export const releasesPage = ({ releases }: Releases): Markup => html`<h1>Releases</h1>
${
  releases.length === 0
    ? html`<p class="empty">The ledger has no releases. <code>dexsync release create --from ENV</code> creates one.</p>`
    : html`<table class="dense"><thead><tr><th scope="col">Release</th><th scope="col">Created</th><th scope="col">By</th><th scope="col" class="number">Objects</th><th scope="col">Changes</th><th scope="col">In</th><th scope="col">Note</th></tr></thead><tbody>
${releases.map(releaseRow)}</tbody></table>`
}`;

function releaseRow({ name, at, by, objects, changes, number, stages, note, ...key }: ReleaseFacts): Markup {
  const changed = number === 1 ? '' : changesText(changes);
  const places = stages
    .map(({ stage, environments, of }) => (of === 1 ? stage : `${stage} ${environments} of ${of}`))
    .join(', ');
  const cell = (label: string, text: Part): Markup =>
    html`<td data-label="${label}"${(text === '' || text === undefined) && html` class="none"`}>${text}</td>`;
  return html`<tr><th scope="row">${releaseLink(nameOf({ number, ...key }))}${name !== undefined && html` <span class="dim">${name}</span>`}</th>${cell('Created', time(at))}${cell('By', personText(by))}<td data-label="Objects" class="number">${objects}</td>${cell('Changes', changed)}${cell('In', places)}${cell('Note', note)}</tr>\n`;
}

function changesText(changes: readonly ReleaseChange[]): string {
  const counts = (['created', 'changed', 'renamed', 'deleted'] as const).flatMap((is) => {
    const count = changes.filter((one) => one.is === is).length;
    return count === 0 ? [] : [`${count} ${is}`];
  });
  return counts.join(', ') || 'no object changed';
}

/** One event in the life of a release. */
interface Moment {
  readonly at: string;
  readonly what: Part;
  readonly tone: 'good' | 'bad' | 'plain';
}

/** A release: what happened to it, where it is, and what it changed. */
export function releasePage(
  release: Release,
  notes: readonly ReleaseNote[],
  environments: readonly EnvironmentStatus[],
): Markup {
  const { name, note, at, by, applied, content, changes, number, source } = release;
  const own = nameOf(release);
  const here = environments.filter((one) => one.release?.name === own);
  const moments: Moment[] = [
    ...(applied === undefined
      ? []
      : [
          {
            at: applied.at,
            what: html`Applied in ${source}${applied.by !== undefined && ` by ${personText(applied.by)}`}, apply ${applied.number}`,
            tone: 'good' as const,
          },
        ]),
    { at, what: html`Created from ${source} by ${personText(by)}`, tone: 'good' },
    ...notes.map(noteMoment),
    ...here.flatMap((one): Moment[] =>
      one.lastApply?.at == null || here.length > MOST_PLACES
        ? []
        : [{ at: one.lastApply.at, what: html`Last apply in ${environmentLink(one.environment)}`, tone: 'plain' }],
    ),
  ];
  return html`<h1>${own}${name !== undefined && html` <span class="dim">${name}</span>`}</h1>
${note !== undefined && html`<p><q>${note}</q></p>`}
<dl><dt>Content</dt><dd>${countText(content.objects.length, 'object')}, ${countText(content.imports.length, 'import')}</dd>
${by.git !== undefined && html`<dt>Commit</dt><dd>${commitText(by.git)}</dd>`}
<dt>Is in</dt><dd>${here.length === 0 ? 'no environment' : `${countText(here.length, 'environment')}: ${namesText(here.map(({ environment }) => environment))}`}</dd></dl>
<h2>History</h2>
<ol class="timeline">${moments
    .sort((one, other) => other.at.localeCompare(one.at))
    .map(
      ({ at: when, what, tone }) =>
        html`<li class="${tone}"><p>${what} <span class="dim">${time(when)}</span></p></li>`,
    )}</ol>
${number > 1 && html`<h2>Since r${number - 1}</h2>${changes.length === 0 ? html`<p class="empty">No object changed.</p>` : html`<table class="dense list"><tbody>${changes.map((change) => changeRow(change, source))}</tbody></table>`}`}`;
}

/** Environments up to which their last apply is an event of its own. */
const MOST_PLACES = 20;

const environmentLink = (name: string): Markup => html`<a href="${pathOf('environments', name)}">${name}</a>`;

function noteMoment({ is, check, environment, by, at, reason }: ReleaseNote): Moment {
  const where = environment === undefined ? '' : ` in ${environment}`;
  const what = check === undefined ? `${is === 'held' ? 'Held' : 'Hold lifted'}${where}` : `${check} ${is}${where}`;
  const tone = is === 'held' || is === 'failed' ? 'bad' : 'good';
  return {
    at,
    what: html`${what} <span class="dim">by ${by}</span>${reason !== undefined && html` <q>${reason}</q>`}`,
    tone,
  };
}

const CHANGE_TONES = { created: 'good', changed: 'doubt', renamed: 'doubt', deleted: 'bad' } as const;

const changeRow = ({ address, is, from }: ReleaseChange, source: string): Markup =>
  html`<tr><th scope="row"><a href="${pathOf('environments', source, 'objects')}?address=${encodeURIComponent(address)}">${address}</a></th><td>${tag(is, CHANGE_TONES[is])}</td><td class="dim">${from !== undefined && `was ${from}`}</td></tr>`;
