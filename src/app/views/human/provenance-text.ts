import type { GitFacts, PipelineRun, Provenance } from '#core/model/provenance.js';
import type { Event } from '#core/stream/event.js';

/** Who made a plan, from what, and where, as rows of a title and a text each. */
export function provenanceRows(made: Provenance): [string, string][] {
  const { git, ci } = made;
  return [
    ['Planned', `by ${personText(made)}`],
    ...(git === undefined ? [] : [['Commit', commitText(git)] as [string, string]]),
    ...(ci === undefined ? [] : [['Pipeline', pipelineText(ci)] as [string, string]]),
  ];
}

/** The login may be one that many use; who stands behind it is told by the pipeline, or else by the machine. */
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

/** Whether a plan was made by another, or from something else, than it was applied by and from. */
export const isFromElsewhere = (made: Provenance, applied: Provenance): boolean =>
  JSON.stringify([made.actor, made.git, made.ci]) !== JSON.stringify([applied.actor, applied.git, applied.ci]);

/** Who made a plan and who applies it, in a sentence each; the second only where it says something else. */
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
