import { groupedCount } from '#base/pages/html-page.js';
import { html, type Part } from '#base/pages/markup.js';

/** Which part of a list is shown, and where the others are. */
export interface PagePart {
  readonly from: number;
  /** How many are on a page, and in all. */
  readonly count: number;
  readonly all: number;
  /** Of the page, without a query; the query that it keeps. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** What is shown first there. */
  readonly anchor?: string;
}

/** Links to the pages before and after, if there are any. */
export function pager({ from, count, all, ...place }: PagePart): Part {
  if (all <= count && from === 0) return undefined;
  const link = (to: number, text: string) => html`<a href="${pageLink({ ...place, from: to })}">${text}</a>`;
  const [first, last] = [Math.min(from + 1, all), Math.min(from + count, all)];
  return html`<nav class="pages" aria-label="Pages">${from > 0 && link(0, 'First')}${from > 0 && link(Math.max(0, from - count), 'Previous')}<span>${groupedCount(first)} to ${groupedCount(last)} of ${groupedCount(all)}</span>${last < all && link(last, 'Next')}${last < all && link(Math.floor((all - 1) / count) * count, 'Last')}</nav>`;
}

/** The address of a part of a list. */
export function pageLink({ path, query, from, anchor }: Pick<PagePart, 'path' | 'query' | 'from' | 'anchor'>): string {
  const given = new URLSearchParams({ ...query, ...(from === 0 ? {} : { from: String(from) }) });
  return `${path}${given.size === 0 ? '' : `?${given}`}${anchor === undefined ? '' : `#${anchor}`}`;
}
