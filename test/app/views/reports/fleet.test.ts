import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, test } from 'vitest';
import { MOST_CHARACTERS } from '#app/views/markdown/fit-comment.js';
import { renderReport } from '#app/views/report/render-report.js';
import type { Report } from '#app/views/report/report.js';
import { emptyReport, HOSTILE, PAGE_ELEMENTS, planReport, SETTING } from './hostile.js';
import { type Element, elementsIn, readXml, textIn } from './read-xml.js';

const { environment: _, ...PLACE } = SETTING;

const site = (number: number): string => `site-${String(number).padStart(3, '0')}`;
const sites = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => site(from + index));

/** A group of equal plans. */
function group(environments: readonly string[], steps: readonly object[], values: object = {}) {
  const { planned } = planReport(steps);
  return { digest: 'x', environments, plan: planned?.plan, values };
}

function fleetReport(plan: object, waves: readonly (readonly string[])[] = [], subject = 'sites'): Report {
  const requests = { used: 9, apply: { min: 1, max: 2 }, short: [] };
  const fleet = { plan: { fleet: subject, groups: [], unchanged: [], problems: [], requests, ...plan }, waves };
  return emptyReport({ setting: { ...PLACE, command: 'fleet plan', subject }, fleet });
}

function rolloutReport(targets: readonly object[], more: object = {}, fleet = 'sites'): Report {
  const rollout = {
    ...{
      stack: 's',
      fleet,
      name: 'r41',
      plannedAt: '2026-11-29T10:11:12.000Z',
      plannedBy: 'Ann',
      groups: [],
      left: [],
    },
    ...{ targets, next: { is: 'over-budget', failed: 1, budget: 0 }, exitCode: 1, ...more },
  };
  const setting = { ...PLACE, command: 'fleet apply', subject: fleet };
  return emptyReport({ setting, rollout, exitCode: rollout.exitCode });
}

/** A plan and a rollout that have the text wherever data can get into them. */
function hostileReports(text: string): Report[] {
  const origin = { file: `manifests/${text}.yaml`, line: 3, column: 5, layer: 'base' };
  const step = {
    address: `UserGroup/${text}`,
    message: text,
    origin,
    fields: [{ path: text, before: text, after: 'x' }],
  };
  const steps = [
    { ...step, action: 'update' },
    { ...step, address: `Policy/${text}`, action: 'blocked' },
  ];
  const problem = { environment: `${text}2`, code: 'NETWORK', message: text, hint: text };
  const findings = [{ severity: 'error', code: 'field-unknown', message: text, hint: text, origin }];
  const planned = {
    groups: [group([text, `${text}3`], steps, { [text]: { [`var.${text}`]: text } }), group([`${text}4`], steps)],
    unchanged: [`${text}5`],
    problems: [{ ...problem, findings }],
    requests: {
      used: 1,
      apply: { min: 2, max: 2 },
      short: [{ environment: text, apply: { min: 2, max: 2 }, remaining: 1 }],
    },
  };
  const target = (is: string, number: number) => ({ is, environment: `${text}${number}`, wave: 1 + (number % 2) });
  const said = { code: 'PLAN_STALE', message: text, hint: text };
  const targets = [
    ...[target('done', 1), target('waiting', 2), { ...target('failed', 3), ...said }],
    { ...target('deferred', 4), ...said, until: '2026-11-29T10:11:12.000Z' },
  ];
  const next = { is: 'ask', wave: 1, because: 'refused', by: text, message: text };
  return [
    fleetReport(planned, [[text], [`${text}3`, `${text}4`]], text),
    rolloutReport(targets, { next, name: text, release: text, plannedBy: text, left: [problem] }, text),
  ];
}

/** As an independent parser of GitHub's Markdown has it. */
const parsed = (markdown: string): Element =>
  readXml(
    `<page>${micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }).replaceAll(/\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')}</page>`,
  );

const IN_MARKDOWN = [
  ...['page', 'h2', 'h3', 'p', 'ul', 'li', 'strong', 'b', 'code', 'pre', 'span', 'details', 'summary', 'br'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const IN_HTML = [...PAGE_ELEMENTS, ...['details', 'summary', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'time']];
const LINKED = /@\w|[#!$%&~^]["\w]|:\/\/|\bwww\.|:[\w+-]+:|GH-\d/i;

const plainTexts = ({ name, children }: Element): string[] =>
  name === 'code' || name === 'pre'
    ? []
    : children.flatMap((child) => (typeof child === 'string' ? [child] : plainTexts(child)));

const sarif = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const { $schema: __, id: ___, ...schema } = sarif;
const isSarif = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false }).compile(schema);

describe.each(['plan', 'rollout'] as const)(
  'names and messages of any kind stay text in the report of a %s',
  (which) => {
    test.each(HOSTILE)('%s', (_what, text) => {
      const report = hostileReports(text)[which === 'plan' ? 0 : 1] as Report;
      const page = parsed(renderReport('md', report));
      const names = elementsIn(page).map(({ name }) => name);
      expect(names.filter((name) => !IN_MARKDOWN.includes(name))).toEqual([]);
      expect(plainTexts(page).filter((piece) => LINKED.test(piece))).toEqual([]);
      expect(names.filter((name) => name === 'h2')).toHaveLength(1);
      expect(
        elementsIn(page)
          .filter(({ name }) => name === 'h3')
          .map(textIn),
      ).toEqual(TITLES[which]);

      const html = renderReport('html', report);
      const outside = html.replace(/<style>.*?<\/style>/s, '').replaceAll(/<script[^>]*>.*?<\/script>/gs, '<script>');
      const tags = [...outside.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)];
      expect(tags.map(([, name = '']) => name).filter((name) => !IN_HTML.includes(name))).toEqual([]);
      expect(tags.filter(([, , attributes = '']) => /\son\w+=|\s(src|href)=/.test(attributes))).toEqual([]);
      expect(outside.replaceAll(/<!doctype html>|<\/?[a-z0-9]+[^>]*>/g, '')).not.toMatch(/[<>]/);

      const cases = elementsIn(readXml(renderReport('junit', report))).filter(({ name }) => name === 'testcase');
      expect(cases.map((one) => (one.children[0] as Element | undefined)?.name ?? 'passed').sort()).toEqual(
        RESULTS[which],
      );
      expect([isSarif(JSON.parse(renderReport('sarif', report))), isSarif.errors]).toEqual([true, null]);
      for (const line of renderReport('github', report).trimEnd().split('\n'))
        expect(line).toMatch(/^::(error|warning) (?:(?:file|line|col|title)=[^:,]*,?)+::[^\r\n]*$/);
      const issues: { fingerprint: string; check_name: string }[] = JSON.parse(renderReport('gitlab', report));
      expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
      for (const { check_name: name } of issues) expect(name).toMatch(/^[\w-]+$/);
    });
  },
);

const TITLES = {
  plan: [
    ...['Environments that need attention', 'Problems in manifests and files', 'Waves'],
    ...['Changes in 2 environments', 'Changes in 1 environment', 'Nothing to do'],
  ],
  rollout: ['Environments that need attention', 'Waves'],
};

const RESULTS = {
  plan: ['failure', 'failure', 'failure', 'failure', 'failure', 'passed', 'skipped'],
  rollout: ['failure', 'failure', 'passed', 'skipped', 'skipped', 'skipped'],
};

const junitCases = (report: Report) =>
  elementsIn(readXml(renderReport('junit', report)))
    .filter(({ name }) => name === 'testsuite')
    .map((suite) => [
      suite.attributes.name,
      ...suite.children.flatMap((child) => {
        if (typeof child === 'string' || child.name !== 'testcase') return [];
        const [result] = child.children as Element[];
        return [[child.attributes.name, result?.name ?? 'passed', result?.attributes.message]];
      }),
    ]);

describe('500 environments', () => {
  const change = { address: 'UserGroup/Quality', action: 'update', fields: [{ path: 'description', after: 'x' }] };
  const values = Object.fromEntries(sites(1, 400).map((name) => [name, { 'var.city': `City of ${name}` }]));
  const problem = (environment: string) => ({ environment, code: 'NETWORK', message: 'No answer.', findings: [] });
  const planned = fleetReport(
    {
      groups: [group(sites(1, 400), [change], values), group(sites(401, 440), [{ ...change, action: 'blocked' }])],
      unchanged: sites(441, 480),
      problems: sites(481, 500).map(problem),
    },
    [sites(1, 1), sites(2, 440)],
  );
  const rollout = rolloutReport([
    { environment: site(1), wave: 1, is: 'done' },
    ...sites(2, 400).map((environment) => ({ environment, wave: 2, is: 'done' })),
    ...sites(401, 450).map((environment) => ({
      ...{ environment, wave: 2, is: 'failed', code: 'PLAN_STALE', message: 'It changed.' },
    })),
    ...sites(451, 500).map((environment) => ({ environment, wave: 3, is: 'waiting' })),
  ]);

  test('are in a comment that fits, each group and reason once, with all names of each wave', () => {
    const markdown = renderReport('md', planned);
    expect(markdown.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(markdown).toMatch(
      /^<!-- dexsync fleet plan sites -->\n## dexsync fleet plan <code>sites<\/code>: 400 to change, 40 blocked, 40 unchanged, 20 not planned\n/,
    );
    expect(markdown.match(/No answer\./g)).toHaveLength(1);
    expect(markdown).toContain('site-481, site-482');
    expect(markdown).toContain('and 10 more: not planned: No answer.');
    expect(markdown).toContain('### Changes in 400 environments');
    expect(markdown.match(/\+ description: "x"/g)).toHaveLength(1);

    const done = renderReport('md', rollout);
    expect(done).toContain('Wave 2: 399 done, 50 failed');
    for (const name of sites(2, 450)) expect(done).toContain(name);
    expect(done.match(/It changed\./g)).toHaveLength(1);
  });

  test('are cut with a count where a comment has no room for them, which says where all of it is', () => {
    const groups = sites(1, 500).map((name) => group([name], [{ ...change, message: name.repeat(100) }]));
    const markdown = renderReport('md', fleetReport({ groups }));
    expect(markdown.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(markdown).toMatch(
      /\*\*Left out\*\* .*lines.*<code>dexsync fleet plan sites --json<\/code> shows all of it\.\n$/,
    );
    const long = sites(1, 4000).map((name, index) => ({ environment: name.repeat(10), wave: index + 1, is: 'done' }));
    const waves = renderReport('md', rolloutReport(long));
    expect(waves.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    expect(waves).toMatch(/\d+ waves\. <code>dexsync fleet status sites --json<\/code> shows all of it\.\n$/);
  });

  test('are a test case each: failed and unknown ones with the reason, those that wait are skipped with what is next', () => {
    const suites = junitCases(rollout);
    expect(suites.map(([name, ...cases]) => [name, cases.length])).toEqual([
      ['fleet sites, wave 1', 1],
      ['fleet sites, wave 2', 449],
      ['fleet sites, wave 3', 50],
      ['dexsync fleet apply', 1],
    ]);
    const all = suites.flatMap(([, ...cases]) => cases);
    expect(all).toContainEqual([site(2), 'passed', undefined]);
    expect(all).toContainEqual([site(401), 'failure', 'failed: It changed.']);
    expect(all).toContainEqual([
      ...[site(451), 'skipped'],
      expect.stringMatching(/^waiting: Stopped: 1 failed, and the budget is 0\..*fleet retry sites --failed/),
    ]);
    expect(junitCases(planned).find(([name]) => name === 'fleet sites')).toHaveLength(61);
  });

  test('are rows of the page, in a part for each wave; a long part is closed at first', () => {
    const html = renderReport('html', rollout);
    expect(html.match(/<details class="wave"/g)).toHaveLength(3);
    expect(html.match(/<details class="wave" open/g)).toHaveLength(1);
    expect(html.match(/<tr><td>site-\d+<\/td>/g)).toHaveLength(500);
    expect(html).toContain('<p class="outcome bad">400 done, 50 failed, 50 waiting</p>');
    const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(renderReport('html', planned)) ?? [];
    expect(JSON.parse(data).changes).toMatchObject([
      { outcome: 'group 1, 400 environments', message: expect.stringMatching(/^In site-001, .* and 390 more\. /) },
      { outcome: 'group 2, 40 environments' },
    ]);
  });
});

test('each failed environment is an annotation, and so is a check that refused a wave; what waits is none', () => {
  const targets = [
    { environment: 'a', wave: 1, is: 'done' },
    { environment: 'b', wave: 1, is: 'failed', code: 'PLAN_STALE', message: 'It changed.', hint: 'Plan again.' },
    { environment: 'c', wave: 1, is: 'failed', code: 'PLAN_STALE', message: 'It changed.', hint: 'Plan again.' },
    { environment: 'd', wave: 2, is: 'waiting' },
  ];
  const next = { is: 'ask', wave: 1, because: 'refused', message: 'Too slow.' };
  expect(renderReport('github', rolloutReport(targets, { next })).split('\n')).toEqual([
    expect.stringMatching(/^::error title=rollout-ask::The check refused wave 1: Too slow\./),
    '::error title=PLAN_STALE::b: failed: It changed.%0APlan again.',
    '::error title=PLAN_STALE::c: failed: It changed.%0APlan again.',
    '',
  ]);
  const approval = rolloutReport(targets.slice(3), { next: { ...next, because: 'approval' }, exitCode: 4 });
  expect(renderReport('github', approval)).toMatch(
    /^::warning title=rollout-ask::Wave 1 waits for approval\.[^\n]*\n$/,
  );
});

test('a rollout without environments says so', () => {
  const report = rolloutReport([], { next: { is: 'ended' }, exitCode: 0 });
  expect(renderReport('md', report)).toContain(': no environment has anything to do\n');
  expect(renderReport('html', report)).toContain('<p class="outcome good">no environment has anything to do</p>');
  expect(junitCases(report)).toEqual([['dexsync fleet apply', ['dexsync fleet apply', 'passed', undefined]]]);
});
