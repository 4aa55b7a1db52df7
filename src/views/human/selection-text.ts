import type { Plan } from '../../model/plan.js';

/** What a plan was narrowed to, as a line; none where it is about all manifests. */
export function selectionText({ selection }: Pick<Plan, 'selection'>): string[] {
  if (selection === undefined) return [];
  const { only, exclude, closure } = selection;
  const options = [
    ...only.map((pattern) => `--only ${quoted(pattern)}`),
    ...exclude.map((pattern) => `--exclude ${quoted(pattern)}`),
  ].join(' ');
  if (closure.length === 0) return [`Selected: ${options}.`];
  const they = closure.length === 1 ? 'it is' : 'they are';
  return [`Selected: ${options}; ${closure.length} more because ${they} referred to: ${closure.join(', ')}.`];
}

/** Names hold spaces; where a pattern ends must be seen. */
const quoted = (pattern: string): string => (/[\s"',;]/.test(pattern) ? `"${pattern}"` : pattern);
