import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { renderReport } from '#app/views/report/render-report.js';
import { emptyReport, HOSTILE, hostileReport, SETTING } from './hostile.js';

const require = createRequire(import.meta.url);

/** The schema that SARIF publishes, of draft 4: what it uses means the same to ajv, but for its own two declarations. */
function sarifValidator() {
  const { $schema: _, id: __, ...schema } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text) => URL.canParse(text));
  ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'file:///repo/') && !/[\s<>"{}|\\^`]/.test(text));
  ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
  return ajv.compile(schema);
}

const isSarif = sarifValidator();

describe('SARIF', () => {
  test.each(HOSTILE)('is valid by its schema with data of any kind: %s', (_, text) => {
    const log = JSON.parse(renderReport('sarif', hostileReport(text)));
    expect([isSarif(log), isSarif.errors]).toEqual([true, null]);
    const [{ results, tool }] = log.runs;
    expect(results.length).toBeGreaterThan(5);
    for (const { ruleId, ruleIndex, locations } of results) {
      expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
      expect(locations[0].physicalLocation.artifactLocation.uri).not.toMatch(/[^\w.~!*'()/%:-]/);
    }
    expect(new Set(results.map(fingerprintOf)).size).toBe(results.length);
  });

  test('gives paths from the root of the repository, each name encoded', () => {
    const log = JSON.parse(renderReport('sarif', withDiagnostic('a b/ü#%.yaml')));
    expect(log.runs[0].results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'plm/a%20b/%C3%BC%23%25.yaml' },
      region: { startLine: 3, startColumn: 5 },
    });
    expect(isSarif({ ...log, version: '2.0.0' })).toBe(false);
  });

  test('an error outside the files is shown at the configuration', () => {
    const log = JSON.parse(renderReport('sarif', emptyReport({ failure: FAILURE, exitCode: 6 })));
    expect(isSarif(log)).toBe(true);
    expect(log.runs[0]).toMatchObject({
      invocations: [{ executionSuccessful: false, exitCode: 6 }],
      results: [{ ruleId: 'LOGIN_REFUSED', level: 'error', message: { text: 'No.\nTry.' } }],
    });
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('plm/sync.config.yaml');
  });
});

const fingerprintOf = (result: { partialFingerprints: Record<string, string> }) =>
  result.partialFingerprints['dexsync/v1'];

const FAILURE = { code: 'LOGIN_REFUSED', message: 'No.', hint: 'Try.', exitCode: 6 };

const withDiagnostic = (file: string, line = 3) =>
  emptyReport({
    diagnostics: [
      { severity: 'error', code: 'field-unknown', message: 'Wrong.', origin: { file, line, column: 5, layer: 'base' } },
    ],
  });

/** As the runner of GitHub Actions reads a line: `ActionCommand.TryParseV2`. */
function readCommand(line: string) {
  const [, command = '', given = '', data = ''] = /^::(\w+) (.*?)::(.*)$/s.exec(line) ?? [];
  const properties = given.split(',').map((one): [string, string] => {
    const [name = '', ...value] = one.split('=');
    return [name, withLineEnds(value.join('=')).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%')];
  });
  return { command, ...Object.fromEntries(properties), data: withLineEnds(data).replaceAll('%25', '%') };
}

const withLineEnds = (text: string): string => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n');

describe('workflow commands of GitHub', () => {
  test.each(HOSTILE)('print one line for each problem, and nothing else: %s', (_, text) => {
    const lines = renderReport('github', hostileReport(text)).trimEnd().split('\n');
    expect(lines.length).toBe(JSON.parse(renderReport('gitlab', hostileReport(text))).length);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning) [^\r\n]*::[^\r\n]*$/);
      expect(['error', 'warning']).toContain(readCommand(line).command);
      const [, properties = ''] = /^::\w+ (.*?)::/.exec(line) ?? [];
      for (const one of properties.split(',')) expect(one).toMatch(/^(file|line|col|title)=[^:,]*$/);
    }
  });

  test('position, title and text come back as they were', () => {
    expect(readCommand(renderReport('github', withDiagnostic('a,b:c%0A.yaml')).trimEnd())).toEqual({
      ...{ command: 'error', file: 'plm/a,b:c%0A.yaml', line: '3', col: '5', title: 'field-unknown', data: 'Wrong.' },
    });
  });
});

describe('Code Quality of GitLab', () => {
  test.each(HOSTILE)('has the form that its report needs: %s', (_, text) => {
    const issues = JSON.parse(renderReport('gitlab', hostileReport(text)));
    for (const issue of issues) {
      expect(issue).toEqual({
        ...{ description: expect.stringMatching(/./), check_name: expect.stringMatching(/^[\w-]+$/) },
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: expect.stringMatching(/^(major|minor)$/),
        location: { path: expect.not.stringMatching(/^(\.?\/|$)/), lines: { begin: expect.any(Number) } },
      });
    }
    expect(new Set(issues.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(issues.length);
  });

  test('a fingerprint stays when lines move, and differs in another file', () => {
    const fingerprint = (file: string, line: number): string =>
      JSON.parse(renderReport('gitlab', withDiagnostic(file, line)))[0].fingerprint;
    expect(fingerprint('a.yaml', 3)).toBe(fingerprint('a.yaml', 30));
    expect(fingerprint('a.yaml', 3)).not.toBe(fingerprint('b.yaml', 3));
  });

  test('a problem outside the files is shown at the configuration', () => {
    for (const report of [withDiagnostic('<stdin>'), emptyReport({ failure: FAILURE })])
      expect(JSON.parse(renderReport('gitlab', report))[0].location).toEqual({
        path: SETTING.config,
        lines: { begin: 1 },
      });
  });
});

test('the error that ends the command does not repeat errors in the manifests', () => {
  const report = { ...withDiagnostic('a.yaml'), failure: { ...FAILURE, code: 'MANIFESTS_INVALID' } } as const;
  expect(JSON.parse(renderReport('gitlab', report as never))).toHaveLength(1);
  expect(renderReport('md', report as never)).toContain('## dexsync plan: 1 error\n');
});
