import { fingerprints } from './report/fingerprint.js';
import { problemText } from './report/problem.js';
import { listProblems } from './report/problems.js';
import type { Report } from './report/report.js';

/** Formats a Code Quality report for GitLab. Every issue needs a file: the configuration if it has none. */
export function gitlabIssues(report: Report): string {
  const problems = listProblems(report);
  const names = fingerprints(problems);
  const issues = problems.map((problem, index) => ({
    description: problemText(problem),
    check_name: problem.code,
    fingerprint: names[index],
    severity: problem.level === 'error' ? 'major' : 'minor',
    location: {
      path: problem.place?.file ?? report.setting.config,
      lines: { begin: problem.place?.line ?? 1 },
    },
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
