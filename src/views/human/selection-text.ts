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
  const them = closure.length === 1 ? 'it' : 'them';
  return [`Selected: ${options}. Also planned because selected objects refer to ${them}: ${closure.join(', ')}.`];
}

/** Names hold spaces; where a pattern ends must be seen. */
const patternText = (pattern: string): string => (/[\s"',;]/.test(pattern) ? `"${pattern}"` : pattern);
