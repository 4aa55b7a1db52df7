import { describe, expect, test } from 'vitest';
import { renderReport } from '#app/views/report/render-report.js';
import { emptyReport, HOSTILE, hostileReport, planReport } from './hostile.js';
import { type Element, elementsIn, readXml, textIn } from './read-xml.js';

const read = (report: Parameters<typeof renderReport>[1]): Element => readXml(renderReport('junit', report));

const elements = ({ children }: Element): Element[] => children.filter((child) => typeof child !== 'string');

/** What the schema of Ant's JUnit reports and the stricter part of Jenkins' own ask of a file, in their order. */
function checkStructure(root: Element): void {
  expect([root.name, root.attributes]).toEqual(['testsuites', {}]);
  for (const [id, suite] of elements(root).entries()) {
    const { name, package: from, id: given, timestamp, hostname, time, ...counts } = suite.attributes;
    expect([suite.name, given, hostname, time]).toEqual(['testsuite', String(id), 'localhost', '0']);
    expect(name).toMatch(/./s);
    expect(from).toMatch(/^dexsync\.\w+$/);
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const [properties, ...rest] = elements(suite);
    expect([properties?.name, ...rest.slice(-2).map((one) => one.name)]).toEqual([
      ...['properties', 'system-out', 'system-err'],
    ]);
    const cases = rest.slice(0, -2);
    const results = cases.map(checkCase);
    const count = (which: string): string => String(results.filter((result) => result === which).length);
    expect(counts).toEqual({
      ...{ tests: String(cases.length), failures: count('failure'), errors: count('error'), skipped: count('skipped') },
    });
  }
}

function checkCase(one: Element): string | undefined {
  expect([one.name, Object.keys(one.attributes), one.attributes.time]).toEqual([
    ...['testcase', ['name', 'classname', 'time'], '0'],
  ]);
  const [result, ...more] = elements(one);
  expect(more).toEqual([]);
  if (result === undefined) return undefined;
  expect(['failure', 'error', 'skipped']).toContain(result.name);
  expect(Object.keys(result.attributes)).toEqual(['type', 'message']);
  expect(elements(result)).toEqual([]);
  return result.name;
}

describe('the file is well-formed and of the usual structure with data of any kind', () => {
  test.each(HOSTILE)('%s', (_, text) => checkStructure(read(hostileReport(text))));
});

test('a parser gives the values back unchanged, line ends of attributes too', () => {
  const text = 'a "b" <c> & \'d\'\n]]>\te';
  const root = read(planReport([{ address: `UserGroup/${text}`, action: 'blocked', message: text }]));
  const [found] = elementsIn(root).filter(({ name }) => name === 'testcase');
  expect(found?.attributes.name).toBe(`UserGroup/${text}`);
  expect(found && textIn(found)).toContain(text);
});

test('an object is a case of its manifest file; a blocked step fails, and a manual one is skipped', () => {
  const root = read(
    planReport([
      { address: 'UserGroup/A', action: 'create' },
      { address: 'UserGroup/B', action: 'blocked' },
      { address: 'Trigger/C', action: 'manual', origin: { file: 'manifests/b.yaml', line: 7, column: 1 } },
    ]),
  );
  checkStructure(root);
  expect(
    elements(root).map((suite) => [
      suite.attributes.name,
      elements(suite)
        .filter(({ name }) => name === 'testcase')
        .map((one) => [one.attributes.name, one.attributes.classname, elements(one)[0]?.name]),
    ]),
  ).toEqual([
    [
      'plm/manifests/a.yaml',
      [
        ['UserGroup/A', 'dexsync.plan.UserGroup', undefined],
        ['UserGroup/B', 'dexsync.plan.UserGroup', 'failure'],
      ],
    ],
    ['plm/manifests/b.yaml', [['Trigger/C', 'dexsync.plan.Trigger', 'skipped']]],
  ]);
});

test('a command without findings is one passed case, and an error outside the files is one case that could not run', () => {
  const cases = (report: object) => elementsIn(read(emptyReport(report))).filter(({ name }) => name === 'testcase');
  expect(cases({}).map((one) => [one.attributes.name, elements(one).length])).toEqual([['dexsync plan', 0]]);
  const failure = { code: 'LOGIN_REFUSED', message: 'No.', hint: 'Try.', exitCode: 6 };
  const [error] = cases({ failure }).flatMap(elements);
  expect([error?.name, error?.attributes, error && textIn(error)]).toEqual([
    ...['error', { type: 'LOGIN_REFUSED', message: 'No.' }, 'No.\nTry.'],
  ]);
});
