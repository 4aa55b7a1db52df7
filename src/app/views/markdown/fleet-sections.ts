import { countText } from '../human/count-text.js';
import { namesText } from '../human/many-text.js';
import {
  byWave,
  groupReports,
  type ReportedTarget,
  reportedTargets,
  targetCounts,
  targetCountsText,
} from '../report/fleet-targets.js';
import type { Report } from '../report/report.js';
import { changeSections } from './change-sections.js';
import { foldable, mdText } from './escape.js';
import type { Item, Section } from './fit-comment.js';

/** The waves of a fleet, each group of equal plans once, and where nothing is to be done. */
export function fleetSections(report: Report): Section[] {
  const targets = reportedTargets(report);
  const waves = byWave(targets).flatMap(([wave, own]) => (wave === undefined ? [] : [waveItem(wave, own)]));
  const groups = groupReports(report).map(({ group: { environments, values }, report: own }): Section => {
    const changes = changeSections(own).flatMap(({ items }) => items);
    const title = `Changes in ${countText(environments.length, 'environment')}`;
    return { title, items: [namesItem(environments, values), ...changes] };
  });
  const unchanged = report.fleet?.plan.unchanged ?? [];
  return [
    { title: 'Waves', items: waves },
    ...groups,
    { title: 'Nothing to do', items: unchanged.length === 0 ? [] : [namesItem(unchanged)] },
  ];
}

function waveItem(wave: number, targets: readonly ReportedTarget[]): Item {
  const head = `Wave ${wave}: ${targetCountsText(targets)}`;
  const names = targets.map(({ environment }) => environment);
  const line = `- ${head}: ${mdText(namesText(names))}\n`;
  const results = targetCounts(targets);
  if (results.length === 1 && names.length <= FEW) return { full: line, line };
  const lists = results.map(([result]) => {
    const own = targets.flatMap((one) => (one.result === result ? [one.environment] : []));
    return `**${result}**: ${allNames(own)}`;
  });
  return { full: foldable(head, ...lists), line };
}

/** Number of names that one line has. */
const FEW = 10;
const LONGEST_NAME = 200;

const allNames = (names: readonly string[]): string => names.map((name) => mdText(name, LONGEST_NAME)).join(', ');

function namesItem(
  names: readonly string[],
  values: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Item {
  const line = `- ${mdText(namesText(names))}\n`;
  const table = valuesTable(names, values);
  if (table !== undefined) return { full: foldable(mdText(namesText(names)), table), line };
  return { full: names.length <= FEW ? line : foldable(mdText(namesText(names)), allNames(names)), line };
}

/** A table of the values that differ by environment; undefined if there are none. */
function valuesTable(
  names: readonly string[],
  values: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string | undefined {
  const references = [...new Set(Object.values(values).flatMap((one) => Object.keys(one)))];
  if (references.length === 0) return undefined;
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => mdText(cell, LONGEST_NAME)).join(' | ')} |`;
  const rows = names.map((name) => row([name, ...references.map((one) => values[name]?.[one] ?? '-')]));
  const head = row(['Environment', ...references.map((one) => `\${${one}}`)]);
  return [head, `|${'---|'.repeat(references.length + 1)}`, ...rows].join('\n');
}
