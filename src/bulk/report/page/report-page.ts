import { createHash } from 'node:crypto';
import { toPrintable } from '../../../printable.js';
import type { RunReport } from '../run-report.js';
import { causesSection } from './causes-section.js';
import { countText, escapeHtml } from './escape-html.js';
import { factsSection } from './facts-section.js';
import { rowsSection } from './rows-section.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';

/**
 * The report of an import as one file that asks nobody for anything: style and script stand in it and are the only ones that
 * its policy lets run. Values come from cells and from the service, so all of them are escaped.
 */
export function* reportPage(given: RunReport): Generator<string> {
  const report = toPrintable(given);
  const { failed } = report.counts;
  const title = escapeHtml(`${report.file}: ${countText(failed)} failed ${failed === 1 ? 'row' : 'rows'}`);
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`;
  yield factsSection(report);
  yield causesSection(report);
  yield rowsSection(report);
  yield '</main>\n<script type="application/json" id="data">';
  yield* dataOf(report);
  yield `</script>\n<script>${SCRIPT}</script>\n</body>\n</html>\n`;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** One array a row, in the order in which the script reads them; the cause is its place in the list of causes. */
function* dataOf({ errors, causes }: RunReport): Generator<string> {
  const places = new Map(causes.map(({ code, message }, index) => [JSON.stringify([code, message]), index]));
  yield '[';
  for (const [index, error] of errors.entries()) {
    const { row, column, value, key, code, message, cause, certainty, doubt } = error;
    const place = places.get(JSON.stringify([code, cause])) ?? -1;
    const cells = [row ?? null, column ?? '', value ?? '', key, code ?? null, message, certainty, doubt ?? '', place];
    yield `${index === 0 ? '\n' : ',\n'}${inScript(JSON.stringify(cells))}`;
  }
  yield '\n]';
}

/** Neither `</script>` nor `<!--` may stand in it. */
const inScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');
