import type { Plan } from '../../model/plan.js';

/** What a plan was narrowed to, as a line; none where it is about all manifests. */
export function selectionText({ selection }: Pick<Plan, 'selection'>): string[] {
  if (selection === undefined) return [];
  const { only, exclude, closure } = selection;
  const options = [
    ...only.map((pattern) => `--only ${patternText(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${patternText(pattern)}`),
  ].join(' ');
  if (closure.length === 0) return [`Selected: ${options}.`];
  const they = closure.length === 1 ? 'it is' : 'they are';
  return [`Selected: ${options}; ${closure.length} more because ${they} referred to: ${closure.join(', ')}.`];
}

/** Names hold spaces; where a pattern ends must be seen. */
const patternText = (pattern: string): string => (/[\s"',;]/.test(pattern) ? `"${pattern}"` : pattern);
