import { html, type Markup, type Part, pathOf } from '#base/pages/markup.js';
import { shellWord } from '#base/shell-word.js';
import type { RolloutStatus } from '#core/stream/fleet-event.js';
import type { EnvironmentStatus } from '../../operations/status.js';
import type { Known } from '../../server/knowledge.js';
import { countText } from '../human/count-text.js';
import { didText } from '../human/history-text.js';
import { namesText } from '../human/many-text.js';
import { countPhrases } from '../human/plan-text.js';
import { nextText } from '../human/rollout-text.js';
import { importTags, releaseLink } from './environment-cells.js';
import { tag, time, withCommands } from './frame.js';

/** One kind of things that wait for a person, each with what to do. */
interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
}

interface Row {
  readonly where: Markup;
  readonly what: Part;
  readonly todo: Part;
}

/** Everything that waits for a person. */
export function waitingPage(known: Known): Markup {
  const sections = sectionsOf(known).filter(({ rows }) => rows.length > 0);
  return html`<h1>Waits for you</h1>
<div data-live="list">${sections.length === 0 ? html`<p class="outcome good">Nothing waits for a person.</p>` : sections.map(sectionMarkup)}</div>`;
}

/** How many things wait for a person. */
export const waitingCount = (known: Known): number => sectionsOf(known).reduce((sum, { rows }) => sum + rows.length, 0);

const sectionMarkup = ({
  title,
  rows,
}: Section): Markup => html`<section><h2>${title} <span class="count">${rows.length}</span></h2>
<table class="dense list"><tbody>
${rows.map(({ where, what, todo }) => html`<tr><th scope="row">${where}</th><td>${what}</td><td class="dim">${todo}</td></tr>\n`)}</tbody></table></section>\n`;

function sectionsOf({ environments, plans, rollouts }: Known): readonly Section[] {
  const each = (rowsOf: (one: EnvironmentStatus) => readonly Row[]): readonly Row[] => environments.flatMap(rowsOf);
  return [
    {
      title: 'Plans',
      rows: plans.flatMap(({ environment, plans: all }) => all.map((one) => planRow(environment, one))),
    },
    { title: 'Rollouts', rows: rollouts.flatMap(rolloutRows) },
    { title: 'Conflicts', rows: each(conflictRows) },
    { title: 'Gates', rows: each(gateRows) },
    { title: 'Manual steps', rows: each(manualRows) },
    { title: 'Imports', rows: each(importRows) },
    { title: 'Applies that did not end well', rows: each(undoneRows) },
    { title: 'Drift', rows: each(driftRows) },
    { title: 'Cannot be read', rows: each(problemRows) },
  ];
}

const environmentLink = (name: string): Markup => html`<a href="${pathOf('environments', name)}">${name}</a>`;

type AnyPlan = Known['plans'][number]['plans'][number];

function planRow(environment: string, plan: AnyPlan): Row {
  const { name } = plan;
  const link = html`<a href="${pathOf('environments', environment, 'plans', name)}">${name}</a> <span class="dim">for</span> ${environmentLink(environment)}`;
  if ('problem' in plan) return { where: html`${name}`, what: tag('unusable', 'bad'), todo: plan.problem };
  const { by, at, reason, reviews, approvedBy, rejectedBy } = plan;
  const why = reason !== undefined && html` <q>${reason}</q>`;
  return {
    where: link,
    what: html`${countPhrases(plan).join(', ')} <span class="dim">by ${by}, ${time(at)}</span>${why}`,
    todo:
      reviews.length > 0 && approvedBy.length + rejectedBy.length === 0
        ? 'Only its author approved it.'
        : verdictsText(approvedBy, rejectedBy),
  };
}

/** What people said about something. */
export function verdictsText(approvedBy: readonly string[], rejectedBy: readonly string[]): Part {
  if (approvedBy.length + rejectedBy.length === 0) return 'Nobody reviewed it.';
  return [
    rejectedBy.length > 0 && html`${tag('rejected', 'bad')} by ${rejectedBy.join(', ')} `,
    approvedBy.length > 0 && html`${tag('approved', 'good')} by ${approvedBy.join(', ')}`,
  ];
}

/** A rollout waits if it needs a person, or if something in it did not end well. */
function rolloutRows(status: RolloutStatus): readonly Row[] {
  const { fleet, name, next, targets } = status;
  const trouble = targets.filter(({ is }) => is === 'failed' || is === 'unknown' || is === 'deferred');
  const isAsked = ['new', 'ask', 'over-budget', 'paused'].includes(next.is);
  if (!isAsked && trouble.length === 0) return [];
  const where = html`<a href="${pathOf('fleets', fleet)}">${fleet}</a> <span class="dim">${name}</span>`;
  const what =
    trouble.length === 0 ? html`${tag(next.is === 'new' ? 'not begun' : next.is, 'doubt')}` : troubleText(trouble);
  return [{ where, what, todo: withCommands(nextText(status)) }];
}

function troubleText(trouble: RolloutStatus['targets']): Part {
  return (['failed', 'unknown', 'deferred'] as const).map((result) => {
    const names = trouble.filter(({ is }) => is === result).map(({ environment }) => environment);
    return (
      names.length > 0 &&
      html`${tag(`${names.length} ${result}`, result === 'deferred' ? 'doubt' : 'bad')} ${namesText(names)} `
    );
  });
}

function conflictRows({ environment, release }: EnvironmentStatus): readonly Row[] {
  if (release === null || release.conflicts === 0) return [];
  const { name, conflicts } = release;
  const todo = html`<code>dexsync promote --release ${shellWord(name)} --to ${shellWord(environment)} --take source KIND/NAME</code> decides one of them.`;
  return [
    {
      where: environmentLink(environment),
      what: html`${tag(countText(conflicts, 'conflict'), 'bad')} with ${releaseLink(name)}`,
      todo,
    },
  ];
}

function gateRows({ environment, next }: EnvironmentStatus): readonly Row[] {
  if (next === null) return [];
  const where = environmentLink(environment);
  const { name, closed } = next;
  if (closed.length === 0)
    return [
      {
        where,
        what: html`${releaseLink(name)} ${tag('may come', 'good')}`,
        todo: html`<code>dexsync promote --to ${shellWord(environment)}</code> brings it.`,
      },
    ];
  const gates = closed.map(({ gate }) => html` ${tag(gate, 'doubt')}`);
  return [
    { where, what: html`${releaseLink(name)} is kept by${gates}`, todo: closed.map(({ message }) => `${message} `) },
  ];
}

function manualRows({ environment, lastApply }: EnvironmentStatus): readonly Row[] {
  const count = lastApply?.counts?.manual ?? 0;
  if (count === 0) return [];
  const todo = html`<code>dexsync plan --env ${shellWord(environment)}</code> explains them; the next plan sees that they are done.`;
  return [{ where: environmentLink(environment), what: tag(countText(count, 'manual step'), 'doubt'), todo }];
}

function importRows({ environment, imports }: EnvironmentStatus): readonly Row[] {
  const tags = importTags(imports);
  if (tags.length === 0) return [];
  const path = `${pathOf('environments', environment, 'imports')}?show=waiting`;
  const todo = html`<a href="${path}">Its imports</a> show which rows failed, and why.`;
  return [{ where: environmentLink(environment), what: tags.map((one) => html`${one} `), todo }];
}

function undoneRows({ environment, lastApply }: EnvironmentStatus): readonly Row[] {
  const { failed = 0, unknown = 0, partly = 0, skipped = 0 } = lastApply?.counts ?? {};
  if (lastApply === null || (lastApply.state === 'ended' && failed + unknown + partly + skipped === 0)) return [];
  const what = html`${tag(didText(lastApply), 'bad')} <span class="dim">${lastApply.at !== null && time(lastApply.at)}</span>`;
  const todo = html`<code>dexsync history show ${lastApply.number} --env ${shellWord(environment)}</code> says why.`;
  return [{ where: environmentLink(environment), what, todo }];
}

function driftRows({ environment, seen }: EnvironmentStatus): readonly Row[] {
  if (seen === null || seen.drifted === 0) return [];
  const what = html`${tag(`${countText(seen.drifted, 'object')} changed outside`, 'doubt')} <span class="dim">${time(seen.at)}</span>`;
  return [
    {
      where: environmentLink(environment),
      what,
      todo: html`<code>dexsync drift --env ${shellWord(environment)}</code> shows them.`,
    },
  ];
}

const problemRows = ({ environment, problem }: EnvironmentStatus): readonly Row[] =>
  problem === undefined
    ? []
    : [
        {
          where: environmentLink(environment),
          what: tag(problem.message, 'bad'),
          todo: withCommands(problem.hint ?? ''),
        },
      ];
