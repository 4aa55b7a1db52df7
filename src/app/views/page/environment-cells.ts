import { groupedCount } from '#base/pages/html-page.js';
import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { EnvironmentStatus } from '../../operations/status.js';
import { countText } from '../human/count-text.js';
import { didText } from '../human/history-text.js';
import { personText } from '../human/provenance-text.js';
import { tag, time } from './frame.js';

const undone = ({ lastApply }: EnvironmentStatus): number => {
  const { failed = 0, unknown = 0, partly = 0, skipped = 0 } = lastApply?.counts ?? {};
  return failed + unknown + partly + skipped;
};
/** Whether the last apply, or reading what is known of it, did not end well. */
export const didNotEnd = (one: EnvironmentStatus): boolean =>
  one.problem !== undefined || undone(one) > 0 || (one.lastApply !== null && one.lastApply.state !== 'ended');

/** The release that is there, and what it creates. */
export function releaseCell({ release, created }: EnvironmentStatus): Part {
  const own = created !== null && html`<span class="dim">creates ${releaseLink(created)}</span>`;
  if (release === null) return own;
  const { name, objects, open, behind, conflicts, hotfixes } = release;
  const part = open > 0 && objects !== null && ` (${Math.max(0, objects - open)} of ${objects})`;
  return html`${releaseLink(name)}${part}${behind > 0 && html` ${tag(`${behind} behind`, 'doubt')}`}${
    conflicts > 0 && html` ${tag(countText(conflicts, 'conflict'), 'bad')}`
  }${hotfixes > 0 && html` ${tag(countText(hotfixes, 'hotfix', 'hotfixes'))}`}${own !== false && html` ${own}`}`;
}

/** A link to a release, such as dev/r2. */
export const releaseLink = (name: string): Markup => html`<a href="${pathOf('releases', name)}">${name}</a>`;

/** The release that would come next, and the gates that keep it. */
export function nextCell({ next }: EnvironmentStatus): Part {
  if (next === null) return undefined;
  const gates = next.closed.map(({ gate, message }) => html` ${tag(gate, 'doubt', message)}`);
  return html`${releaseLink(next.name)}${gates.length === 0 ? html` ${tag('may come', 'good')}` : gates}`;
}

/** What was seen there last. */
export function driftCell({ seen }: EnvironmentStatus): Part {
  if (seen === null) return undefined;
  const drift =
    seen.drifted === 0 ? html`<span class="dim">none</span>` : tag(countText(seen.drifted, 'object'), 'doubt');
  const unknown = seen.unknown > 0 && html` ${tag(`${seen.unknown} unknown`, 'doubt')}`;
  const before = !seen.sinceLastApply && ', before that apply';
  return html`${drift}${unknown} <span class="dim">${time(seen.at)}${before}</span>`;
}

/** The requests that were left when somebody looked last. */
export const quotaText = ({ seen }: EnvironmentStatus): string | undefined =>
  typeof seen?.remaining === 'number' ? groupedCount(seen.remaining) : undefined;

/** Plans and imports. */
export function waitingCell({ plans, imports, environment }: EnvironmentStatus): Part {
  const verdicts = [
    ...(plans.approved === 0 ? [] : [`${plans.approved} approved`]),
    ...(plans.rejected === 0 ? [] : [`${plans.rejected} rejected`]),
  ].join(', ');
  const path = pathOf('environments', environment);
  const found = [
    ...(plans.waiting === 0
      ? []
      : [
          html`<a href="${path}#plans">${countText(plans.waiting, 'plan')}</a>${verdicts !== '' && html` <span class="dim">${verdicts}</span>`}`,
        ]),
    ...importTags(imports).map((text) => html`<a href="${path}/imports?show=waiting">${text}</a>`),
  ];
  return found.length === 0 ? undefined : found.map((one, index) => (index === 0 ? one : html` ${one}`));
}

/** What waits of the imports of an environment. */
export const importTags = ({ open, missing }: EnvironmentStatus['imports']): readonly Markup[] => [
  ...(missing === 0 ? [] : [tag(`${countText(missing, 'row')} missing`, 'doubt')]),
  ...(open === 0 ? [] : [tag(countText(open, 'open import'), 'doubt')]),
];

/** The last apply: what it did, when, and who. */
export function applyCell(one: EnvironmentStatus): Part {
  const { lastApply } = one;
  if (lastApply === null) return undefined;
  const who = lastApply.apply === null ? undefined : personText(lastApply.apply);
  const did = didText(lastApply);
  return html`${didNotEnd(one) && one.problem === undefined ? tag(did, 'bad') : did} <span class="dim">${
    lastApply.at !== null && time(lastApply.at)
  } ${who}</span>`;
}
