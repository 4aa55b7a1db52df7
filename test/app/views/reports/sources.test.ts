import { expect, test } from 'vitest';
import { renderReport } from '#app/views/report/render-report.js';
import { emptyReport } from './hostile.js';

const origin = {
  ...{ file: 'overlays/prod/groups.yaml', line: 5, column: 3 },
  ...{ layer: 'overlay of prod', filledBy: '${var.site} of environment prod' },
};
const report = emptyReport({
  diagnostics: [{ severity: 'error', code: 'field-type', message: 'It must be a text.', hint: 'Correct it.', origin }],
});
const SAID = 'This is in the overlay of prod. The value comes from ${var.site} of environment prod.';

test.each(['md', 'html', 'junit', 'sarif', 'github', 'gitlab'] as const)(
  '%s names the overlay and the variable that a value comes from, at the place in the file',
  (format) => {
    const text = renderReport(format, report)
      .replaceAll(/\\|<\/?span>/g, '')
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(text).toContain(SAID);
    expect(text).toContain('overlays/prod/groups.yaml');
  },
);

test('a value written at its place gets no source, and the identity of a problem does not change', () => {
  const [diagnostic] = report.diagnostics;
  const plain = emptyReport({
    diagnostics: [{ ...diagnostic, origin: { ...origin, layer: 'base', filledBy: undefined } }] as never,
  });
  const issues = [report, plain].map((one) => JSON.parse(renderReport('gitlab', one))[0]);
  expect(issues[1].description).toBe('It must be a text.\nCorrect it.');
  expect(issues[0].fingerprint).toBe(issues[1].fingerprint);
});
