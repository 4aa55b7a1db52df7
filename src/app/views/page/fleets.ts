import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import type { RolloutStatus, RolloutTargetStatus } from '#core/stream/fleet-event.js';
import type { Known } from '../../server/knowledge.js';
import { alike } from '../human/alike.js';
import { countText } from '../human/count-text.js';
import { namesText } from '../human/many-text.js';
import { nextText } from '../human/rollout-text.js';
import { releaseLink } from './environment-cells.js';
import { tag, time, tokenField, type Viewer, withCommands } from './frame.js';
import { verdictsText } from './waiting.js';

type Result = RolloutTargetStatus['is'];

const TONES: Readonly<Record<Result, 'good' | 'doubt' | 'bad' | 'plain'>> = {
  ...{
    done: 'good',
    failed: 'bad',
    unknown: 'bad',
    deferred: 'doubt',
    gone: 'plain',
    begun: 'doubt',
    waiting: 'plain',
  },
};

/** In the order in which they matter to people. */
const RESULTS: readonly Result[] = ['failed', 'unknown', 'deferred', 'begun', 'waiting', 'gone', 'done'];

/** The rollout of each fleet, in a line. */
export const fleetsPage = ({ rollouts }: Known): Markup => html`<h1>Fleets</h1>
<div data-live="list">${
  rollouts.length === 0
    ? html`<p class="empty">No fleet has a rollout. <code>dexsync fleet plan FLEET --out ledger:NAME</code> makes one.</p>`
    : html`<table class="dense list"><tbody>${rollouts.map(
        (status) =>
          html`<tr><th scope="row"><a href="${pathOf('fleets', status.fleet)}">${status.fleet}</a> <span class="dim">${status.name}</span></th><td>${bar(status.targets)}</td><td class="dim">${withCommands(nextText(status))}</td></tr>`,
      )}</tbody></table>`
}</div>`;

/** The rollout of one fleet: waves, what did not end well, and how to pause or stop it. */
export function rolloutPage(status: RolloutStatus, { roles, token }: Viewer): Markup {
  const { fleet, name, release, plannedAt, plannedBy, workers } = status;
  return html`<h1>${fleet} <span class="dim">${name}</span></h1>
<div data-live="rollout">
<p class="outcome ${toneOf(status)}">${withCommands(nextText(status))}</p>
<p class="dim">${release !== undefined && html`Release ${releaseLink(release)}, p`}${release === undefined && 'P'}lanned ${time(plannedAt)} by ${plannedBy}${workers && ', worked on by workers'}.</p>
${bar(status.targets)}
${totalsOf(status.targets)}
</div>
${roles.includes('operate') && html`<div data-live="actions">${actionsOf(status, token)}</div>`}
<div data-live="targets">${troubleSection(status)}
${wavesSection(status)}
${groupsSection(status)}
${targetsSection(status)}</div>`;
}

function toneOf({ exitCode, next }: RolloutStatus): 'good' | 'doubt' | 'bad' {
  if (next.is === 'ended' && exitCode === 0) return 'good';
  return exitCode === 1 ? 'bad' : 'doubt';
}

const countOf = (targets: readonly RolloutTargetStatus[], result: Result): number =>
  targets.filter(({ is }) => is === result).length;

/** The shares of the results as a bar. Its numbers stand beside it. */
function bar(targets: RolloutStatus['targets']): Part {
  if (targets.length === 0) return undefined;
  let at = 0;
  const parts = [...RESULTS].reverse().map((result) => {
    const [start, count] = [at, countOf(targets, result)];
    at += count;
    return count > 0 && html`<rect class="is-${result}" x="${start}" width="${count}" height="1"/>`;
  });
  const text = RESULTS.flatMap((result) => {
    const count = countOf(targets, result);
    return count === 0 ? [] : [`${count} ${result}`];
  }).join(', ');
  return html`<svg class="bar" viewBox="0 0 ${targets.length} 1" preserveAspectRatio="none" role="img" aria-label="${text}">${parts}</svg>`;
}

const totalsOf = (targets: RolloutStatus['targets']): Markup =>
  html`<ul class="counts">${RESULTS.map((result) => {
    const count = countOf(targets, result);
    return count > 0 && html`<li><i class="is-${result}"></i><b>${count}</b> ${result}</li>`;
  })}</ul>`;

function wavesSection({ targets }: RolloutStatus): Part {
  const waves = [...new Set(targets.map(({ wave }) => wave))].sort((one, other) => one - other);
  if (waves.length < 2) return undefined;
  return html`<h2>Waves</h2><table class="dense list"><tbody>${waves.map((wave) => {
    const own = targets.filter((target) => target.wave === wave);
    return html`<tr><th scope="row">Wave ${wave}</th><td>${bar(own)}</td><td class="dim">${namesText(own.map(({ environment }) => environment))}</td></tr>`;
  })}</tbody></table>`;
}

const TROUBLE: readonly Result[] = ['failed', 'unknown', 'deferred', 'gone'];

/** What did not end well, those with one reason together, and what was never planned. */
function troubleSection({ targets, left }: RolloutStatus): Part {
  const groups = alike(
    targets.filter(({ is }) => TROUBLE.includes(is)),
    ({ is, message, hint, until }) => [is, message, hint, until],
  );
  if (groups.length + left.length === 0) return undefined;
  const rows = groups.map((same) => {
    const [{ is, message, hint, until } = { is: 'unknown' as const }] = same;
    const names = namesText(same.map(({ environment }) => environment));
    return html`<tr><th scope="row">${tag(same.length === 1 ? is : `${same.length} ${is}`, TONES[is])} ${names}</th><td>${withCommands(message ?? '')}${until !== undefined && html` Until ${time(until)}.`}</td><td class="dim">${withCommands(hint ?? '')}</td></tr>`;
  });
  const unplanned = left.map(
    ({ environment, message }) =>
      html`<tr><th scope="row">${tag('not planned', 'doubt')} ${environment}</th><td>${withCommands(message)}</td><td></td></tr>`,
  );
  return html`<h2>Needs a look</h2><table class="dense list"><tbody>${rows}${unplanned}</tbody></table>`;
}

const groupsSection = ({ groups }: RolloutStatus): Markup => html`<h2>Changes</h2>
<p class="dim">Environments whose plans change the same are one group, which is reviewed once.</p>
<table class="dense list"><tbody>${groups.map(
  ({ group, environments, approvedBy, rejectedBy }) =>
    html`<tr><th scope="row"><code>${group.slice(0, 12)}</code></th><td>${countText(environments.length, 'environment')}: ${namesText(environments)}</td><td>${verdictsText(approvedBy, rejectedBy)}</td></tr>`,
)}</tbody></table>`;

/** Pausing and stopping are notes in its record; resuming is work, and left to commands and workers. */
function actionsOf({ fleet, name, next, targets, exitCode }: RolloutStatus, token: string): Part {
  const isOver = next.is === 'stopped' || next.is === 'new' || (next.is === 'ended' && exitCode === 0);
  if (isOver) return undefined;
  const left = targets.filter(({ is }) => is === 'waiting' || is === 'deferred').length;
  const path = pathOf('fleets', fleet);
  const pause =
    next.is !== 'paused' &&
    actionForm({
      path: `${path}/pause`,
      token,
      rollout: name,
      title: 'Pause',
      button: 'Pause the rollout',
      text: 'What was begun ends by itself, and nothing else is begun until somebody resumes it.',
    });
  const stop = actionForm({
    path: `${path}/stop`,
    token,
    rollout: name,
    title: 'Stop',
    button: 'Stop the rollout',
    text: `It cannot be resumed: ${countText(left, 'environment')} that ${left === 1 ? 'was' : 'were'} not begun stay as they are, and their plans are removed.`,
    isFinal: true,
  });
  return html`<h2 class="unseen">Actions</h2><div class="actions">${pause}${stop}</div>`;
}

interface Action {
  readonly path: string;
  readonly token: string;
  /** The rollout that the page showed: the fleet may have another one by now. */
  readonly rollout: string;
  readonly title: string;
  readonly button: string;
  readonly text: string;
  readonly isFinal?: true;
}

/** A form behind a button, which asks for a reason. Works without script. */
const actionForm = ({
  path,
  token,
  rollout,
  title,
  button,
  text,
  isFinal,
}: Action): Markup => html`<details class="action"><summary>${title}…</summary>
<form method="post" action="${path}">${tokenField(token)}<input type="hidden" name="rollout" value="${rollout}"><p>${text}</p>
<label>Reason <input name="reason" required maxlength="500" autocomplete="off"></label>
${isFinal && html`<label class="check"><input type="checkbox" name="sure" value="yes" required> I am sure</label>`}
<button class="${isFinal ? 'bad' : 'doubt'}">${button}</button></form></details>`;

function targetsSection({ targets }: RolloutStatus): Part {
  if (targets.length === 0) return undefined;
  const ordered = targets.toSorted(
    (one, other) => RESULTS.indexOf(one.is) - RESULTS.indexOf(other.is) || one.wave - other.wave,
  );
  return html`<h2>Environments</h2><table class="dense"><thead><tr><th scope="col">Environment</th><th scope="col">Wave</th><th scope="col">Result</th><th scope="col">When</th><th scope="col">Message</th></tr></thead><tbody>
${ordered.map(
  ({ environment, wave, is, at, message }) =>
    html`<tr><th scope="row"><a href="${pathOf('environments', environment)}">${environment}</a></th><td data-label="Wave">${wave}</td><td data-label="Result">${tag(is, TONES[is])}</td><td data-label="When"${at === undefined && html` class="none"`}>${at !== undefined && time(at)}</td><td data-label="Message"${message === undefined && html` class="none"`}>${withCommands(message ?? '')}</td></tr>\n`,
)}</tbody></table>`;
}
