/**
 * What is wrong with a source, before any request. `error`: it fails, or something of the file
 * would be lost. `warning`: it depends on the workspace.
 */
export interface Finding {
  readonly severity: 'error' | 'warning';
  /** Stable and kebab-case. */
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly file: string;
  readonly worksheet?: string;
  readonly row?: number;
  /** The header of the column. */
  readonly column?: string;
  readonly value?: string;
}

/** What is kept of the findings of a source, and the counts of all of them. */
export interface FindingSummary {
  /** Errors before warnings, each in the order of the file. */
  readonly kept: readonly Finding[];
  readonly errors: number;
  readonly warnings: number;
  /** How many of each code, kept or not. */
  readonly byCode: ReadonlyMap<string, number>;
  /** The codes of errors, kept or not. */
  readonly errorCodes: ReadonlySet<string>;
}

/** Takes findings as they come; `findings` may be asked at any time. */
export interface FindingCollector {
  add(finding: Finding): void;
  findings(): FindingSummary;
}

/** Counts all findings and keeps at most `limit`; warnings give way to errors. */
export function collectFindings(limit: number): FindingCollector {
  const kept = { error: [] as Finding[], warning: [] as Finding[] };
  const counts = { error: 0, warning: 0 };
  const byCode = new Map<string, number>();
  const errorCodes = new Set<string>();
  return {
    add(finding) {
      counts[finding.severity] += 1;
      byCode.set(finding.code, (byCode.get(finding.code) ?? 0) + 1);
      if (finding.severity === 'error') errorCodes.add(finding.code);
      if (kept[finding.severity].length < limit) kept[finding.severity].push(finding);
    },
    findings: () => ({
      kept: [...kept.error, ...kept.warning].slice(0, limit),
      errors: counts.error,
      warnings: counts.warning,
      byCode,
      errorCodes,
    }),
  };
}
