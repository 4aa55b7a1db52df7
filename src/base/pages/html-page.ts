import { createHash } from 'node:crypto';
import { PageTools } from './browser/page-tools.js';
import { PagedList } from './browser/paged-list.js';
import { type PageView, startPage } from './browser/start-page.js';
import { COMMON_STYLE } from './common-style.js';

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
  /** The additions of the page to the common style. */
  readonly style: string;
  /** Shows the data in the browser; needed if the body has a form of the class `filter`. */
  readonly view?: PageView<never>;
  readonly body: Iterable<string>;
  /** JSON that the view is given. */
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
export function htmlAround({ view, ...page }: Omit<HtmlPage, 'data'>) {
  const script = scriptOf(view);
  return {
    beforeData: pageStart({ ...page, script }),
    afterData: `</script>\n<script>${script}</script>\n</body>\n</html>\n`,
  };
}

/**
 * The browser code of a page as text. Each class and function knows only its arguments, so that a bundler may move and
 * rename all of them.
 */
export const scriptOf = (view?: PageView<never>): string =>
  `\n'use strict';\n(${startPage})(${PageTools}, ${PagedList}, ${view});\n`;

type PageStart = Omit<HtmlPage, 'view' | 'data'> & { readonly script: string };

function* pageStart({ title, style, script, body }: PageStart): Generator<string> {
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
