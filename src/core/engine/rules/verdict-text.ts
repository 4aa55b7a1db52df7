import type { RuleVerdict } from '../../model/rule.js';

/** What a verdict says, as a sentence: its message, or why the condition cannot be evaluated. */
export function verdictText(verdict: RuleVerdict, message: string): string {
  const text = verdict.is === 'undecided' ? `The condition cannot be evaluated: ${verdict.reason}` : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
