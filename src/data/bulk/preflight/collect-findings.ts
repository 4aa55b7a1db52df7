import type { Finding, FindingSummary } from '#core/model/findings.js';
import { groupFindings } from './finding-groups.js';

/** Collects findings; `findings` gives those so far. */
export interface FindingCollector {
  add(finding: Finding): void;
  findings(): FindingSummary;
}

/** Counts all findings and keeps at most `limit`, errors before warnings. */
export function collectFindings(limit: number): FindingCollector {
  const kept = { error: [] as Finding[], warning: [] as Finding[] };
  const counts = { error: 0, warning: 0 };
  const byCode = new Map<string, number>();
  const errorCodes = new Set<string>();
  const groups = groupFindings();
  return {
    add(finding) {
      counts[finding.severity] += 1;
      byCode.set(finding.code, (byCode.get(finding.code) ?? 0) + 1);
      groups.add(finding);
      if (finding.severity === 'error') errorCodes.add(finding.code);
      if (kept[finding.severity].length < limit) kept[finding.severity].push(finding);
    },
    findings: () => ({
      kept: [...kept.error, ...kept.warning].slice(0, limit),
      errors: counts.error,
      warnings: counts.warning,
      groups: groups.all(),
      byCode,
      errorCodes,
    }),
  };
}
