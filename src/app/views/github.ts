import { placeText } from './report/place.js';
import { type Problem, problemText } from './report/problem.js';
import { listProblems } from './report/problems.js';
import type { Report } from './report/report.js';

/** Workflow commands of GitHub Actions, one on each line, which become annotations when a step prints them. */
export const githubCommands = (report: Report): string =>
  listProblems(report)
    .map((problem) => `${command(problem)}\n`)
    .join('');

function command(problem: Problem): string {
  const { level, code, address, place } = problem;
  const properties: [string, string | number | undefined][] = [
    ['file', place?.file],
    ['line', place?.line],
    ['col', place?.column],
    ['title', address === undefined ? code : `${code}: ${address}`],
  ];
  const given = properties.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  // An annotation shows its place itself; without a line it belongs to the whole file.
  const where = place !== undefined && place.line === undefined ? `${placeText(place)}: ` : '';
  return `::${level} ${given.join(',')}::${escapeData(`${where}${problemText(problem)}`)}`;
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
