import { expect, test } from 'vitest';
import { findingsText } from '#app/views/human/findings-text.js';
import { createPalette } from '#app/views/human/palette.js';
import { addressOf } from '#core/model/address.js';
import type { Finding } from '#core/model/findings.js';
import { collectFindings } from '#data/bulk/preflight/collect-findings.js';

const IN_SHEET = { file: 'parts.xlsx', worksheet: 'Parts', column: 'Status' } as const;

const unknown = (row: number, value: string, more: Partial<Finding> = {}): Finding => ({
  ...{ severity: 'error', code: 'value-unknown', message: `"${value}" is not a phase.`, hint: 'Correct the cell.' },
  ...{ ...IN_SHEET, row, cell: `H${row}`, value },
  ...more,
});

function textOf(findings: readonly Finding[]): string {
  const collector = collectFindings(3);
  for (const finding of findings) collector.add(finding);
  const { byCode, errorCodes: _, ...found } = collector.findings();
  const event = { ...found, byCode: Object.fromEntries(byCode) };
  return findingsText({ type: 'findings', address: addressOf('Import', 'I'), findings: event }, createPalette('plain'));
}

test('one finding is shown at its cell, or at its row of a text file', () => {
  expect(textOf([unknown(6, 'NI')])).toBe(
    'parts.xlsx:Parts!H6  error  value-unknown\n  "NI" is not a phase. Correct the cell.\n\n',
  );
  const { cell: _, worksheet: __, ...inText } = unknown(6, 'NI', { file: 'parts.csv' });
  expect(textOf([inText])).toContain('parts.csv:6  error  value-unknown\n');
});

test('findings of one cause are grouped, each value once with its cells, the most frequent first', () => {
  const findings = [unknown(2, 'X'), ...[3, 5, 6, 7, 8, 9].map((row) => unknown(row, 'NI'))];
  const warning = unknown(4, 'Y', { severity: 'warning', code: 'key-rounded' });
  expect(textOf([warning, ...findings])).toBe(
    [
      'parts.xlsx  error  value-unknown  7 rows, column "Status"',
      '  "NI" is not a phase. Correct the cell. (6 cells: Parts!H3, H5, H6, H7, H8, ...)',
      '  "X" is not a phase. Correct the cell. (Parts!H2)',
      'parts.xlsx:Parts!H4  warning  key-rounded',
      '  "Y" is not a phase. Correct the cell.',
      '\n',
    ].join('\n'),
  );
});

test('the counts cover all findings, and say how many are not shown', () => {
  const values = Array.from({ length: 3000 }, (_, row) => unknown(row + 2, `v${row}`));
  const columns = Array.from({ length: 30 }, (_, index) =>
    unknown(2, 'X', { column: `C${index}`, code: 'cell-error' }),
  );
  const lines = textOf([...values, ...columns]).split('\n');
  expect(lines[0]).toBe('parts.xlsx  error  value-unknown  3000 rows, column "Status"');
  expect(lines[6]).toBe('  ... and 2995 more');
  expect(lines.slice(-5)).toEqual([
    '... and 15 more (3030 errors, 0 warnings in total). All by cause:',
    '      3000  value-unknown',
    '        30  cell-error',
    '',
    '',
  ]);
});
