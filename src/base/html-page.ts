import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML elements and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Escapes a text for HTML and marks its UTC times: a browser shows them in the reader's zone, and names that. */
export const htmlWithTimes = (text: string): string =>
  escapeHtml(text).replaceAll(TIME, (written, date: string, time: string) => {
    return `<time datetime="${date}T${time}Z">${written.replace(/T(.*)Z$/, ' $1 UTC').replace(/\.\d+ UTC/, ' UTC')}</time>`;
  });

const TIME = /\b(\d{4}-\d\d-\d\d)(?: (?=\S+ UTC)|T)(\d\d:\d\d:\d\d)(?:\.\d+)?(?: UTC|Z)/g;

/** Formats a count with commas between thousands. */
export const groupedCount = (count: number): string => count.toLocaleString('en-US');

/** Writes JSON for a script element of HTML: it contains neither `</script>` nor `<!--`. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');

/** A page in parts, in which data is already escaped. */
export interface HtmlPage {
  readonly title: string;
  /** The additions of the page to the common style and script. */
  readonly style: string;
  readonly script: string;
  readonly body: Iterable<string>;
  /** JSON that the script reads from the element `data`. */
  readonly data: Iterable<string>;
}

/**
 * Yields a page as one file that requests nothing: it includes its style and script, which are the only ones that its
 * policy allows to run.
 */
export function* htmlPage({ data, ...page }: HtmlPage): Generator<string> {
  const { beforeData, afterData } = htmlAround(page);
  yield* beforeData;
  yield* data;
  yield afterData;
}

/** The parts of a page before and after its data, for data that arrives in pieces. */
export function htmlAround({ title, style, script: own, body }: Omit<HtmlPage, 'data'>) {
  const script = `${COMMON_SCRIPT}${own}`;
  return {
    beforeData: pageStart({ title, style, script, body }),
    afterData: `</script>\n<script>${script}</script>\n</body>\n</html>\n`,
  };
}

function* pageStart({ title, style, script, body }: Omit<HtmlPage, 'data'>): Generator<string> {
  const styles = `${COMMON_STYLE}${style}`;
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
`;
  yield* body;
  yield '</main>\n<script type="application/json" id="data">';
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Shows times in the reader's zone; without scripts, they stay in UTC. */
const COMMON_SCRIPT = `
'use strict';
const localTime = (utc) => {
  const at = new Date(utc);
  if (Number.isNaN(at.getTime())) return utc;
  const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(at).find(({ type }) => type === 'timeZoneName');
  const two = (number) => String(number).padStart(2, '0');
  return at.getFullYear() + '-' + two(at.getMonth() + 1) + '-' + two(at.getDate()) + ' '
    + [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':') + ' ' + zone.value;
};
const withLocalTimes = (text) => text.replace(/\\b(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d) UTC\\b/g, (_, date, time) => localTime(date + 'T' + time + 'Z'));
for (const one of document.querySelectorAll('time')) one.textContent = localTime(one.dateTime);
`;

/** Uses the colours that the reader's system prefers. */
const COMMON_STYLE = `
:root { color-scheme: light dark; --ink: #1c2330; --dim: #5b6575; --line: #d8dde5; --ground: #f6f7f9; --sheet: #fff;
  --good: #1a7f4b; --bad: #b3261e; --doubt: #8a5a00; --mark: #2457c5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ef; --dim: #9aa5b5; --line: #343c49; --ground: #14181f;
  --sheet: #1c222b; --good: #5fce96; --bad: #ff8a80; --doubt: #f0b95b; --mark: #8db4ff; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { margin: 0; font-size: 24px; overflow-wrap: anywhere; }
h2 { margin: 32px 0 10px; font-size: 18px; }
.outcome { margin: 6px 0 16px; color: var(--bad); }
.outcome.good { color: var(--good); } .outcome.doubt { color: var(--doubt); }
.tiles { display: flex; flex-wrap: wrap; gap: 10px; margin: 0 0 16px; padding: 0; list-style: none; }
.tiles li { min-width: 120px; padding: 10px 14px; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
.tiles b { display: block; font-size: 22px; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--dim); }
.tiles .good b { color: var(--good); } .tiles .bad b { color: var(--bad); } .tiles .doubt b { color: var(--doubt); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.wide { overflow-x: auto; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 7px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.filter { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; }
.filter label { display: flex; flex-direction: column; gap: 3px; color: var(--dim); }
.filter select { max-width: 420px; }
input, select, button { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px; }
button { cursor: pointer; } button:disabled { opacity: .45; cursor: default; }
:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
.pages { display: flex; flex-wrap: wrap; gap: 10px; align-items: center; margin: 0 0 10px; }
#count { margin: 12px 0 8px; font-weight: 600; }
@media print { .filter, .pages { display: none; } body { background: none; } }
`;
