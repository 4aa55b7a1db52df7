import type { GitFacts, PipelineRun, Provenance } from '#core/model/provenance.js';
import type { Event } from '#core/stream/event.js';

/** The author of a plan, its commit and its pipeline, as rows of a title and a text each. */
export function provenanceRows(made: Provenance): [string, string][] {
  const { git, ci } = made;
  return [
    ['Planned', `by ${personText(made)}`],
    ...(git === undefined ? [] : [['Commit', commitText(git)] as [string, string]]),
    ...(ci === undefined ? [] : [['Pipeline', pipelineText(ci)] as [string, string]]),
  ];
}

/** Many may share the login; the pipeline, or else the machine, names the person behind it. */
export function personText({ actor: { login, user }, ci }: Pick<Provenance, 'actor' | 'ci'>): string {
  const person = ci?.by ?? user;
  return person === undefined ? login : `${login} (${person})`;
}

/** `1f0c… of https://forge.example.com/team/project.git on main, with uncommitted changes` */
export function commitText({ repository, commit, branch, dirty }: GitFacts): string {
  const where = `${repository === undefined ? '' : ` of ${repository}`}${branch === undefined ? '' : ` on ${branch}`}`;
  return `${commit}${where}${dirty === 'yes' ? ', with uncommitted changes' : ''}`;
}

/** `GitHub Actions, started by ann: https://…` */
export const pipelineText = ({ name, url, by }: PipelineRun): string =>
  `${name}${by === undefined ? '' : `, started by ${by}`}${url === undefined ? '' : `: ${url}`}`;

/** Whether the author, commit or pipeline of a plan differs from that of its apply. */
export const isFromElsewhere = (made: Provenance, applied: Provenance): boolean =>
  JSON.stringify([made.actor, made.git, made.ci]) !== JSON.stringify([applied.actor, applied.git, applied.ci]);

/** The origin of a plan and that of its apply, in a sentence each; the second only if it differs. */
export function provenanceLines({ plan, applier }: Extract<Event, { type: 'plan' }>): [string, string][] {
  const made = applier?.planned.provenance ?? plan.provenance;
  const isApplied = applier !== undefined && (made === undefined || isFromElsewhere(made, applier));
  return [
    ...(made === undefined ? [] : [['Planned', wholeText(made)] as [string, string]]),
    ...(isApplied ? [['Applied', wholeText(applier)] as [string, string]] : []),
  ];
}

function wholeText(made: Provenance): string {
  const { git, ci } = made;
  const from = git === undefined ? '' : ` from commit ${commitText(git)}`;
  return `by ${personText(made)}${from}${ci === undefined ? '' : `, in ${pipelineText(ci)}`}`;
}
