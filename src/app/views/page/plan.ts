import { html, Markup, type Part, pathOf } from '#base/pages/markup.js';
import { toPrintable } from '#base/printable.js';
import { shellWord } from '#base/shell-word.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { SavedPlan } from '#delivery/planfile/read-plan.js';
import { reportBody } from '../html.js';
import type { ReportSetting } from '../report/report.js';
import { tag, time } from './frame.js';
import { keyText, type Standing, standingText } from './verdict-form.js';

/** What a plan page says of signed verdicts. */
export interface Reviewing {
  /** What they come to, or why that is not known; absent where none is signed. */
  readonly standing?: Standing | string;
  /** Takes another one. */
  readonly form?: Part;
}

/** A saved plan as `plan --output html` shows it, with the verdicts on it. */
export function planPage(
  saved: SavedPlan,
  setting: ReportSetting,
  cells: 'shown' | 'hidden',
  reviewing: Reviewing = {},
): Markup {
  const { stored } = saved;
  const plan = cells === 'shown' ? saved.plan : withoutCells(saved.plan);
  const report = {
    ...{
      setting,
      diagnostics: [],
      findings: [],
      steps: [],
      rows: [],
      settled: [],
      sent: [],
      reviewed: [],
      exitCode: 0 as const,
    },
    planned: { type: 'plan' as const, plan, reset: null },
  };
  const more = html`${verdictsSection(saved, reviewing)}
${plan !== saved.plan && html`<p class="note">Cells of rows are shown to people with the role data.</p>`}`;
  const name = stored?.name ?? '';
  return html`<p class="path"><a href="${pathOf('environments', plan.environment)}">${plan.environment}</a> / plans</p>
${new Markup(reportBody(toPrintable(report), name, more.text))}`;
}

function verdictsSection(
  { stored, plan, digest, signature, signedBy }: SavedPlan,
  { standing, form }: Reviewing,
): Part {
  if (stored === undefined) return undefined;
  const { by, at, reason, reviews, name } = stored;
  return html`<section aria-labelledby="verdicts"><h2 id="verdicts">Verdicts</h2>
<dl><dt>Saved</dt><dd>${time(at)} by ${by}${reason !== undefined && html` <q>${reason}</q>`}</dd><dt>Digest</dt><dd><code>${digest}</code></dd><dt>Signature</dt><dd>${signedBy === undefined ? SIGNATURES[signature] : `by the key ${signedBy}`}</dd></dl>
${
  reviews.length === 0
    ? html`<p class="empty">Nobody reviewed it. <code>dexsync plan review ledger:${name} --env ${shellWord(plan.environment)} --approve</code> approves it.</p>`
    : html`<ol class="timeline">${reviews.map(
        (review) =>
          html`<li class="${review.verdict === 'approved' ? 'good' : 'bad'}"><p>${tag(review.verdict, review.verdict === 'approved' ? 'good' : 'bad')} by ${review.by}${keyText(review)}${review.damage !== undefined && html` ${tag('worth nothing', 'bad', review.damage)}`} <span class="dim">${time(review.at)}</span>${review.reason !== undefined && html` <q>${review.reason}</q>`}</p></li>`,
      )}</ol>`
}
${typeof standing === 'string' ? html`<p>${tag('not known', 'doubt')} ${standing}</p>` : standing !== undefined && standingText(standing)}${form}</section>`;
}

const SIGNATURES = {
  valid: 'valid',
  unchecked: 'not checked: this server has no key of plans',
  wrong: 'wrong: the plan was not signed with the key of this server',
  missing: 'missing, although this server has a key of plans',
  none: 'none',
} satisfies Record<SavedPlan['signature'], string>;

/** A plan without what its rows contain: for roles that may see changes, and no cells. The same plan if it has no rows. */
const withoutCells = (plan: Plan): Plan =>
  plan.steps.some(({ origin, preview }) => origin.row !== undefined || preview?.rows !== undefined)
    ? { ...plan, steps: plan.steps.map(stepWithoutCells) }
    : plan;

function stepWithoutCells(step: Step): Step {
  const fields =
    step.origin.row !== undefined ? step.fields.map(({ before: _, after: __, ...field }) => field) : step.fields;
  if (step.preview === undefined) return { ...step, fields };
  const { rows: _, ...preview } = step.preview;
  return { ...step, fields, preview };
}
