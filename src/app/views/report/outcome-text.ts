import { differencePhrases } from '../human/comparison-text.js';
import { countText } from '../human/count-text.js';
import { driftedRows } from '../human/import-drift-text.js';
import { countPhrases } from '../human/plan-text.js';
import { reportedTargets, targetCountsText } from './fleet-targets.js';
import type { Report } from './report.js';

/** The outcome in a few words. */
export function outcomeText(report: Report): string {
  const { failure, validated, drift, compared, planned, summary, reviewed, diagnostics } = report;
  const count = (level: string): number => diagnostics.filter(({ severity }) => severity === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const found = [
    ...(errors === 0 ? [] : [countText(errors, 'error')]),
    ...(warnings === 0 ? [] : [countText(warnings, 'warning')]),
  ];
  if (failure !== undefined) return [...(errors > 0 ? found : [`failed (${failure.code})`])].join(', ');
  if (validated !== undefined) return validatedText(validated, found);
  if (compared !== undefined) return comparedText(compared);
  if (drift !== undefined) return driftedText(drift);
  if ((report.fleet ?? report.rollout) !== undefined) return fleetText(report);
  if (reviewed.some((one) => one.is === 'applied before')) return 'already applied';
  if (summary !== undefined) return summaryText(summary);
  if (planned !== undefined)
    return planned.plan.steps.length === 0 ? 'no changes' : countPhrases(planned.plan).join(', ');
  return 'nothing to report';
}

function fleetText(report: Report): string {
  const targets = reportedTargets(report);
  return targets.length === 0 ? 'no environment has anything to do' : targetCountsText(targets);
}

function validatedText(
  { manifests, files, blocked }: NonNullable<Report['validated']>,
  found: readonly string[],
): string {
  const what = `${countText(manifests, 'manifest')} in ${countText(files, 'file')}`;
  const imports = blocked.length === 0 ? [] : [`${countText(blocked.length, 'import')} cannot be sent`];
  return [`${what} valid`, ...imports, ...found].join(', ');
}

function driftedText({ objects, imports = [] }: NonNullable<Report['drift']>): string {
  const records = imports.reduce((sum, one) => sum + driftedRows(one), 0);
  const found = [
    ...(objects.length === 0 ? [] : [countText(objects.length, 'object')]),
    ...(records === 0 ? [] : [countText(records, 'record')]),
  ];
  return found.length === 0 ? 'no drift' : `${found.join(' and ')} changed outside`;
}

const comparedText = (compared: NonNullable<Report['compared']>): string =>
  compared.objects.length === 0 ? 'no differences' : differencePhrases(compared).join(', ');

function summaryText({
  done,
  failed,
  unknown,
  skipped,
  blocked,
  manual,
  rows,
}: NonNullable<Report['summary']>): string {
  const counts: readonly [number, string][] = [
    [failed, 'failed'],
    [unknown, 'unknown'],
    [skipped, 'skipped'],
    [blocked, 'blocked'],
    [manual, 'manual'],
    [rows.committed, 'rows committed'],
    [rows.failed, 'rows failed'],
  ];
  return [`${done} done`, ...counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)].join(
    ', ',
  );
}
