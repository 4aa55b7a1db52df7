import { omitUndefined } from '#base/omit-undefined.js';
import type { Finding, FindingCase, FindingGroup } from '#core/model/findings.js';

const MOST_CASES = 20;
const MOST_ROWS = 5;
/** Causes are few, but columns may be many. */
const MOST_GROUPS = 200;

type Growing<T> = { -readonly [K in keyof T]: T[K] };

interface GrowingCase extends Growing<FindingCase> {
  readonly rows: number[];
}

interface GrowingGroup extends Growing<FindingGroup> {
  readonly cases: GrowingCase[];
}

/** Groups findings by cause and column, and within these by message. Memory does not grow with their number. */
export function groupFindings(): { add(finding: Finding): void; all(): readonly FindingGroup[] } {
  const groups = new Map<string, GrowingGroup>();
  const cases = new Map<string, GrowingCase>();
  return {
    add(finding) {
      const { severity, code, column, message, worksheet = '' } = finding;
      const key = JSON.stringify([severity, code, column]);
      const group = groups.get(key) ?? {
        severity,
        code,
        ...omitUndefined({ column }),
        count: 0,
        cases: [],
      };
      if (group.count === 0 && groups.size === MOST_GROUPS) return;
      groups.set(key, group);
      group.count += 1;
      const same = `${key}${worksheet}\n${message}`;
      const one = cases.get(same) ?? { finding, count: 0, rows: [] };
      if (one.count === 0 && group.cases.length === MOST_CASES) return;
      if (one.count === 0) group.cases.push(one);
      cases.set(same, one);
      one.count += 1;
      if (finding.row !== undefined && one.rows.length < MOST_ROWS) one.rows.push(finding.row);
    },
    all: () =>
      [...groups.values()].map((group) => ({ ...group, cases: [...group.cases].sort(byCount) })).sort(byWeight),
  };
}

const byCount = (a: { readonly count: number }, b: { readonly count: number }): number => b.count - a.count;

const byWeight = (a: FindingGroup, b: FindingGroup): number =>
  a.severity === b.severity ? byCount(a, b) : a.severity === 'error' ? -1 : 1;
