import { htmlWithTimes } from '#base/pages/html-page.js';
import { html, Markup, type Part } from '#base/pages/markup.js';
import type { PageRole } from '#core/stream/page-event.js';

/** Who looks, and what stands on each page around what it shows. */
export interface Viewer {
  readonly name: string;
  readonly roles: readonly PageRole[];
  /** For forms that do something. */
  readonly token: string;
  readonly stack: string;
  /** How many things wait for a person. */
  readonly waiting: number;
  /** Of what is known; another one comes with the next change. */
  readonly version: string;
  /** When the ledger was read, ISO 8601 in UTC, and why nothing newer is known. */
  readonly at: string;
  readonly problem?: string | undefined;
}

/** A page of the server. */
export interface ServedPage {
  readonly title: string;
  readonly here: 'workspaces' | 'waiting' | 'fleets' | 'releases';
  readonly body: Part;
  /** The style and the script that the page has beside those of all pages. */
  readonly own?: 'plan';
}

/** The names of the files that all pages load; they change with the content. */
export interface AssetNames {
  readonly style: string;
  readonly script: string;
  readonly planStyle: string;
  readonly planScript: string;
}

const NAV = [
  ['workspaces', '/', 'Workspaces'],
  ['waiting', '/waiting', 'Waits for you'],
  ['fleets', '/fleets', 'Fleets'],
  ['releases', '/releases', 'Releases'],
] as const;

/** Puts a page into the frame that all pages have. */
export function framedPage({ title, here, body, own }: ServedPage, viewer: Viewer, assets: AssetNames): string {
  const { name, roles, token, stack, waiting, version, at, problem } = viewer;
  const links = NAV.map(
    ([key, path, text]) =>
      html`<a href="${path}"${key === here && html` aria-current="page"`}>${text}${
        key === 'waiting' && waiting > 0 && html` <b class="count">${waiting}</b>`
      }</a>`,
  );
  const top = html`<header class="top">
<a class="brand" href="/">${stack}</a>
<nav aria-label="Pages" data-live="nav">${links}</nav>
<form method="post" action="/logout"><span class="person" title="${roles.join(', ')}">${name}</span>${tokenField(token)}<button>Log out</button></form>
</header>`;
  const old =
    problem !== undefined && html`<p class="outcome doubt" role="status">Nothing newer is known: ${problem}</p>`;
  const end = html`<footer data-live="footer">${old}<p data-version="${version}">As the ledger had it at ${time(at)}. <span id="zone">Times are in UTC.</span></p></footer>`;
  const content = html`${top}\n<main id="main">\n${body}\n${end}\n</main>`;
  // The script of all pages comes last: it shows the times of the others, too.
  const [styles, scripts] = own === undefined ? [[], []] : [[assets.planStyle], [assets.planScript]];
  return documentOf(`${title} · ${stack}`, content, [assets.style, ...styles], [...scripts, assets.script]);
}

/** A page for somebody who is not logged in, or a request that failed. */
export function messagePage(title: string, body: Part, { style }: Pick<AssetNames, 'style'>): string {
  return documentOf(title, html`<main id="main" class="message"><h1>${title}</h1>\n${body}\n</main>`, [style], []);
}

function documentOf(title: string, content: Markup, styles: readonly string[], scripts: readonly string[]): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
${styles.map((file) => html`<link rel="stylesheet" href="/${file}">\n`)}${scripts.map((file) => html`<script src="/${file}" defer></script>\n`)}</head>
<body>
<a class="skip" href="#main">To the content</a>
${content}
</body>
</html>
`.text;
}

/** The field by which a form proves that it comes from a page of this person. */
export const tokenField = (token: string): Markup => html`<input type="hidden" name="_csrf" value="${token}">`;

/** A time of dexsync, to the minute; the browser shows it in the reader's zone. */
export function time(at: string): Part {
  const [, date, hour] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(at) ?? [];
  return date === undefined ? at : html`<time datetime="${at}">${date} ${hour}</time>`;
}

/** A short word in a box, in the colour of its meaning. */
export const tag = (text: string, tone: 'good' | 'doubt' | 'bad' | 'plain' = 'plain', title?: string): Markup =>
  html`<span class="tag ${tone}"${title !== undefined && html` title="${title}"`}>${text}</span>`;

/** A message as markup: what it has in backticks is code, and its times are shown as others. */
export const withCommands = (text: string): Part =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : new Markup(htmlWithTimes(part))));
