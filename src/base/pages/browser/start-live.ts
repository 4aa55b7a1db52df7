import type { LivePage } from './live-page.js';
import type { PageTools } from './page-tools.js';

/** Starts a page of the server. It is given the classes, as `startPage` is. */
export function startLive(Tools: typeof PageTools, Page: typeof LivePage): void {
  new Page(new Tools()).start();
}
