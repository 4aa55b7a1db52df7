import { findPage } from './human/plan-text.js';
import { nextText } from './human/rollout-text.js';
import { previewSentences } from './human/row-words.js';
import { byWave, codeOf, type ReportedTarget, reportedTargets } from './report/fleet-targets.js';
import { listReportedObjects } from './report/objects.js';
import { placeText } from './report/place.js';
import { hintProperty, type Problem, problemText } from './report/problem.js';
import { listProblems } from './report/problems.js';
import type { Report } from './report/report.js';

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly kind: string;
  readonly problem?: Problem;
}

/**
 * JUnit XML: a suite for each manifest file, import and wave of a fleet, a case for each object, problem and environment
 * of a fleet. Errors, blocked steps, drift, differences, failed rows and environments are failures; warnings, manual steps
 * and environments that wait are skipped; a failed command is an error.
 */
export function junitXml(report: Report): string {
  const suites = new Map<string, Case[]>();
  for (const one of casesOf(report)) {
    const cases = suites.get(one.suite);
    if (cases === undefined) suites.set(one.suite, [one]);
    else cases.push(one);
  }
  const texts = [...suites].map(([name, cases], id) => suiteXml(report, { name, id }, cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${texts.join('')}</testsuites>\n`;
}

/** Adds a case for the command if there is no other: readers of JUnit reject a file without cases. */
function casesOf(report: Report): Case[] {
  const { setting } = report;
  // Each environment is a case with its problem.
  const problems = listProblems(report).filter(({ about }) => about !== 'environment');
  const withProblems = new Set(problems.flatMap(({ address }) => (address === undefined ? [] : [address])));
  const good = listReportedObjects(report).filter(({ address }) => !withProblems.has(address));
  const cases = [
    ...good.map(({ address, suite }): Case => ({ suite, name: address, kind: kindOf(address) })),
    ...targetCases(report),
    ...problems.map((problem) => caseOf(problem, report)),
  ];
  const name = `dexsync ${setting.command}`;
  return cases.length > 0 ? cases : [{ suite: name, name, kind: setting.command }];
}

function targetCases(report: Report): Case[] {
  const fleet = report.rollout?.fleet ?? report.fleet?.plan.fleet ?? '';
  return byWave(reportedTargets(report)).flatMap(([wave, targets]) => {
    const suite = `fleet ${fleet}${wave === undefined ? '' : `, wave ${wave}`}`;
    return targets.map((target): Case => {
      const facts = { suite, name: target.environment, kind: fleet };
      return target.level === 'good' ? facts : { ...facts, problem: targetProblem(target, report) };
    });
  });
}

function targetProblem({ level, code, result, message, hint }: ReportedTarget, { rollout }: Report): Problem {
  const next = rollout === undefined || level !== 'waiting' ? [] : [nextText(rollout)];
  return {
    about: 'environment',
    level: level === 'error' ? 'error' : 'warning',
    code: code ?? codeOf(result),
    message: [result, ...(message === undefined ? next : [message])].join(': '),
    ...hintProperty(hint),
  };
}

function caseOf(problem: Problem, { setting }: Report): Case {
  const { about, address, place, code } = problem;
  const isOfRows = about === 'row' || about === 'finding';
  const suite = (isOfRows ? address : place?.file) ?? `dexsync ${setting.command}`;
  const kind = address === undefined ? code : kindOf(address);
  if (about === 'failure') return { suite, name: suite, kind: setting.command, problem };
  const isNamed = address !== undefined && !isOfRows;
  const name = isNamed ? address : `${code}${place === undefined ? '' : ` ${placeText(place)}`}`;
  return { suite, name, kind, problem };
}

const kindOf = (address: string): string => address.slice(0, address.indexOf('/'));

const isSkipped = ({ problem }: Case): boolean =>
  problem?.level === 'warning' && problem.about !== 'drift' && problem.about !== 'difference';
const isError = ({ problem }: Case): boolean => problem?.about === 'failure';

function suiteXml(report: Report, { name, id }: { name: string; id: number }, cases: readonly Case[]): string {
  const { setting } = report;
  const skipped = cases.filter(isSkipped).length;
  const errors = cases.filter(isError).length;
  const failures = cases.filter(({ problem }) => problem !== undefined).length - skipped - errors;
  const facts = attributes({
    ...{ name, package: `dexsync.${setting.command}`, id, timestamp: setting.at.slice(0, 19), hostname: 'localhost' },
    ...{ tests: cases.length, failures, errors, skipped, time: 0 },
  });
  const environment =
    setting.environment === undefined
      ? ''
      : `<property${attributes({ name: 'environment', value: setting.environment })}/>`;
  const texts = cases.map((one) => caseXml(setting.command, one));
  return `<testsuite${facts}>\n<properties>${environment}</properties>\n${texts.join('')}${systemOut(saidOf(report, cases))}<system-err/>\n</testsuite>\n`;
}

/** Describes the changes by rows of a suite's imports. */
function saidOf({ planned }: Report, cases: readonly Case[]): string[] {
  const names = new Set(cases.map(({ name }) => name));
  return (planned?.plan.steps ?? []).flatMap(({ address, preview }) =>
    preview === undefined || !names.has(address)
      ? []
      : [`${address}. ${previewSentences(preview, findPage(address, planned?.pages)).join(' ')}`],
  );
}

const systemOut = (lines: readonly string[]): string =>
  lines.length === 0 ? '<system-out/>\n' : `<system-out>${escapeXml(lines.join('\n'))}</system-out>\n`;

function caseXml(command: string, one: Case): string {
  const { name, kind, problem } = one;
  const facts = attributes({ name, classname: `dexsync.${command}.${kind}`, time: 0 });
  if (problem === undefined) return `<testcase${facts}/>\n`;
  const element = isError(one) ? 'error' : isSkipped(one) ? 'skipped' : 'failure';
  const text =
    problem.place === undefined ? problemText(problem) : `${placeText(problem.place)}\n${problemText(problem)}`;
  const head = attributes({ type: problem.code, message: problem.message });
  return `<testcase${facts}><${element}${head}>${escapeXml(text)}</${element}></testcase>\n`;
}

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Replaces characters that XML 1.0 forbids, including lone surrogates: no escape would make them valid. */
const escapeXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
