import { fingerprints } from './report/fingerprint.js';
import { problemText } from './report/problem.js';
import { problemsOf } from './report/problems.js';
import type { Report } from './report/report.js';

/** A report of GitLab's Code Quality. Every issue needs a file there: what has none is shown at the configuration. */
export function gitlabIssues(report: Report): string {
  const problems = problemsOf(report);
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
