import type { PageTools } from './page-tools.js';
import type { ListView, PagedList } from './paged-list.js';

/** The class that shows the data of a page. */
export type PageView<Data> = new (tools: PageTools, data: Data) => ListView<unknown>;

/** Starts a page. It is given the classes, since a page has the texts of its functions and classes, but no modules. */
export function startPage<Data>(Tools: typeof PageTools, List: typeof PagedList, View: PageView<Data>): void {
  const tools = new Tools();
  tools.showLocalTimes();
  if (document.querySelector('.filter') === null) return;
  const view = new View(tools, JSON.parse(tools.at('data').textContent));
  view.start(new List(tools, view));
}
