import type { JobFacts } from '../model/job-facts.js';
import { isOpen, type JobState } from '../model/job-state.js';
import { sameJson } from '../model/json.js';

/** The facts about an import that decide whether a state settles it. */
export type JobTerms = Pick<JobFacts, 'when' | 'again' | 'commits' | 'rule'>;

/** Whether nothing more must be sent. A rejection holds for its commit rule: under another, the rows may pass. */
export function isSettled(state: JobState, { when, again, commits, rule }: JobTerms): boolean {
  if (when === 'always' || again !== undefined) return false;
  if (state.state === 'validated') return commits === 'never';
  if (state.state === 'rejected') return state.rule === undefined || sameJson(state.rule, rule);
  return state.state === 'committed' || state.state === 'lost';
}

/** Whether the content of an import is open or settled, so that planning has nothing new to say about its rows. */
export const isOpenOrSettled = (state: JobState | undefined, terms: JobTerms): boolean =>
  state !== undefined && (isOpen(state) || isSettled(state, terms));
