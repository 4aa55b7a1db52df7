import { omitUndefined } from '#base/omit-undefined.js';
import { fingerprints } from './report/fingerprint.js';
import { type Place, placeUri } from './report/place.js';
import { type Problem, problemText } from './report/problem.js';
import { listProblems } from './report/problems.js';
import type { Report } from './report/report.js';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** SARIF 2.1.0: a rule for each code, a result for each problem; those without a file are in the configuration. */
export function sarifLog(report: Report): string {
  const { setting, exitCode, failure } = report;
  const problems = listProblems(report);
  const rules = [...new Set(problems.map(({ code }) => code))].sort();
  const names = fingerprints(problems);
  const run = {
    tool: { driver: { name: 'dexsync', version: setting.version, rules: rules.map((code) => ruleOf(code)) } },
    automationDetails: { id: `dexsync/${setting.command}/${setting.environment ?? ''}` },
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: failure === undefined, exitCode, endTimeUtc: setting.at }],
    results: problems.map((problem, index) => resultOf(problem, rules, names[index] ?? '', setting)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2)}\n`;
}

/** GitHub shows the name of a rule as the title of its results. */
const ruleOf = (code: string) => ({ id: code, name: code, shortDescription: { text: code.replaceAll(/[-_]/g, ' ') } });

function resultOf(problem: Problem, rules: readonly string[], fingerprint: string, { config }: Report['setting']) {
  const { level, code, address, place = { file: config } } = problem;
  const named = address === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: address, kind: 'object' }] };
  return {
    ruleId: code,
    ruleIndex: rules.indexOf(code),
    level,
    message: { text: problemText(problem) },
    locations: [{ physicalLocation: locationOf(place), ...named }],
    partialFingerprints: { 'dexsync/v1': fingerprint },
  };
}

function locationOf(place: Place) {
  const { line = 1, column } = place;
  const region = { startLine: line, ...omitUndefined({ startColumn: column }) };
  return { artifactLocation: { uri: placeUri(place) }, region };
}
