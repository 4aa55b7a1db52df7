import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { HistoryEntry } from '#ledger/history/history-entry.js';
import type { Blame, FieldBlame } from '../../operations/blame.js';
import type { History } from '../../operations/history.js';
import type { EnvironmentStatus } from '../../operations/status.js';
import type { Known } from '../../server/knowledge.js';
import { countText } from '../human/count-text.js';
import { valueText } from '../human/field-text.js';
import { didText } from '../human/history-text.js';
import { commitText, personText, pipelineText } from '../human/provenance-text.js';
import {
  applyCell,
  driftCell,
  nextCell,
  quotaText,
  releaseCell,
  releaseLink,
  waitingCell,
} from './environment-cells.js';
import { type Errand, errandText } from './errand.js';
import { tag, time, tokenField, type Viewer, withCommands } from './frame.js';
import { verdictsText } from './waiting.js';

/** What an environment is, and everything that was applied to it. */
export function environmentPage(
  one: EnvironmentStatus,
  { plans }: Pick<Known, 'plans'>,
  found: History | string,
  look: Errand | undefined,
  { roles, token }: Viewer,
): Markup {
  const { environment, production, problem } = one;
  const path = pathOf('environments', environment);
  const own = plans.find((plan) => plan.environment === environment)?.plans ?? [];
  return html`<h1>${environment}${production && html` ${tag('production')}`}</h1>
<div data-live="facts">${problem !== undefined && html`<p class="outcome bad">${problem.message} <span class="dim">${withCommands(problem.hint ?? '')}</span></p>`}
${factsOf(one)}${errandText(look, 'looks for drift', 'The look for drift')}</div>
<div class="actions">${roles.includes('operate') && html`<form method="post" action="${path}/look">${tokenField(token)}<button title="Logs in and reads the workspace">Look for drift</button></form>`}
<form action="${path}/objects" role="search"><label for="text">Object</label><input id="text" name="address" placeholder="Kind/Name" autocomplete="off" required><button>Show its history</button></form>
<a class="button" href="${path}/imports">Imports</a></div>
<div data-live="plans">${
    own.length > 0 &&
    html`<h2 id="plans">Plans</h2><table class="dense list"><tbody>${own.map(
      (plan) =>
        html`<tr><th scope="row"><a href="${path}${pathOf('plans', plan.name)}">${plan.name}</a></th><td>${'problem' in plan ? plan.problem : html`by ${plan.by}, ${time(plan.at)}`}</td><td>${'problem' in plan ? '' : verdictsText(plan.approvedBy, plan.rejectedBy)}</td></tr>`,
    )}</tbody></table>`
  }</div>
<h2>History</h2>
<div data-live="history">${typeof found === 'string' ? html`<p class="empty">${withCommands(found)}</p>` : timeline(found)}</div>`;
}

function factsOf(one: EnvironmentStatus): Markup {
  const { next, seen, locks } = one;
  const gates = next?.closed.map(({ message }) => ` ${message}`);
  const facts: readonly (readonly [string, Part])[] = [
    ['Release', releaseCell(one)],
    ['Next', next !== null && html`${nextCell(one)}<span class="dim">${gates}</span>`],
    ['Last apply', applyCell(one)],
    ['Drift', seen !== null && html`${driftCell(one)} <span class="dim">by ${seen.by}</span>`],
    ['Quota left', quotaText(one)],
    ['Waiting', waitingCell(one)],
    ['In use by', locks.length > 0 && locks.join('; ')],
  ];
  const shown = facts.filter(([, text]) => text !== undefined && text !== false);
  return html`<dl>${shown.map(([title, text]) => html`<dt>${title}</dt><dd>${text}</dd>`)}</dl>`;
}

/** Applies as a time line, the newest first. */
function timeline({ applies, recorded, more }: History): Markup {
  if (applies.length === 0)
    return html`<p class="empty">${recorded === 0 ? 'Nothing was applied yet.' : 'No apply matches.'}</p>`;
  return html`<ol class="timeline">${applies.map(applyItem)}</ol>${more && html`<p class="dim">Older applies are not shown; <code>dexsync history</code> shows all ${recorded}.</p>`}`;
}

function applyItem(entry: HistoryEntry): Markup {
  const { number, at, apply, state, counts, rows } = entry;
  const { failed = 0, unknown = 0, partly = 0, skipped = 0 } = counts ?? {};
  const isBad =
    state !== 'ended' ||
    failed + unknown + partly + skipped > 0 ||
    (entry.object !== undefined && entry.object.outcome !== 'done');
  const lines = apply === null ? [] : detailsOf(apply);
  return html`<li class="${isBad ? 'bad' : 'good'}"><p><b>${didText(entry) || 'nothing to do'}</b> <span class="dim">${at === null ? 'at an unknown time' : time(at)}, apply ${number}</span></p>
<p>${apply === null ? 'Recorded by an old version, without who and why.' : html`${personText(apply)} <span class="dim">with</span> <code>${apply.command}</code>`}${rows.committed + rows.failed > 0 && html`, ${countText(rows.committed, 'row')} committed${rows.failed > 0 && html`, ${tag(`${countText(rows.failed, 'row')} failed`, 'bad')}`}`}</p>
${entry.object?.message !== undefined && html`<p>${withCommands(entry.object.message)}</p>`}${lines.map((line) => html`<p class="dim">${line}</p>`)}</li>\n`;
}

function detailsOf({ reason, git, ci, planned, savedPlan }: ApplyFacts): readonly Part[] {
  const planner = planned?.provenance;
  return [
    ...(reason === undefined ? [] : [html`<q>${reason}</q>`]),
    ...(git === undefined ? [] : [html`commit ${commitText(git)}`]),
    ...(ci === undefined ? [] : [pipelineText(ci)]),
    ...(planner === undefined ? [] : [`planned by ${personText(planner)}`]),
    ...(savedPlan?.reviews ?? []).map(
      ({ verdict, by, at, reason: why }) =>
        html`${verdict} by ${by}, ${time(at)}${why !== undefined && html` <q>${why}</q>`}`,
    ),
  ];
}

/** What happened to one object, and who set its fields. `cells`: whether values that come from rows may be shown. */
export function objectPage(
  address: string,
  { environment, ...found }: History,
  fields: Blame['fields'],
  cells: 'shown' | 'hidden',
): Markup {
  return html`<h1>${address}</h1>
<p class="dim">in <a href="${pathOf('environments', environment)}">${environment}</a></p>
${fields.length > 0 && html`<h2>Who set its fields</h2><table class="dense"><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Who</th><th scope="col">When</th><th scope="col">From</th></tr></thead><tbody>${fields.map((field) => fieldRow(field, cells))}</tbody></table>`}
<h2>History</h2>
${timeline({ environment, ...found })}`;
}

function fieldRow({ field, value, by, at, from, row, release, apply }: FieldBlame, cells: 'shown' | 'hidden'): Markup {
  const text =
    value === undefined
      ? html`<span class="dim">cleared</span>`
      : row !== undefined && cells === 'hidden'
        ? HIDDEN
        : valueText(value);
  const origin = release === undefined ? from : releaseLink(release);
  return html`<tr><th scope="row"><code>${field}</code></th><td data-label="Value" class="value">${text}</td><td data-label="Who">${by === null ? '?' : personText(by)}</td><td data-label="When">${time(at)} <span class="dim">apply ${apply}</span></td><td data-label="From">${origin}</td></tr>\n`;
}

/** In place of a cell that the role of a person does not show. */
const HIDDEN = html`<span class="dim">only for the role data</span>`;
