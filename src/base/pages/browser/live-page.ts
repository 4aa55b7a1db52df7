import type { PageTools } from './page-tools.js';

/**
 * Keeps a page of the server as it is there: its regions come again when the server says that something changed, and when
 * somebody types into its search. Without it the page works too, and stays as it was.
 */
export class LivePage {
  readonly #tools: PageTools;
  #events: EventSource | undefined;
  #wanted = 0;

  constructor(tools: PageTools) {
    this.#tools = tools;
  }

  start(): void {
    this.#showTimes(document);
    const search = document.querySelector<HTMLInputElement>('.search input[name=q]');
    if (search !== null) {
      this.#tools.searchBySlash();
      search.addEventListener('input', () => this.#search(search));
    }
    if (document.querySelector('[data-live]') === null) return;
    document.addEventListener('visibilitychange', () => this.#listen());
    this.#listen();
  }

  /** A hidden page does not listen: a browser has few connections to one server. */
  #listen(): void {
    if (document.visibilityState === 'hidden') {
      this.#events?.close();
      this.#events = undefined;
      return;
    }
    if (this.#events !== undefined) return;
    const since = document.querySelector<HTMLElement>('[data-version]')?.dataset.version ?? '';
    this.#events = new EventSource(`/live?since=${encodeURIComponent(since)}`);
    this.#events.addEventListener('changed', () => this.#refresh(location.href));
  }

  #search(field: HTMLInputElement): void {
    const url = new URL(location.href);
    if (field.value === '') url.searchParams.delete('q');
    else url.searchParams.set('q', field.value);
    history.replaceState(null, '', url);
    this.#refresh(url.href);
  }

  /** Takes the regions of the newest answer that was asked for. */
  async #refresh(url: string): Promise<void> {
    this.#wanted += 1;
    const own = this.#wanted;
    const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => undefined);
    if (answer?.status === 401 || answer?.redirected === true) return location.reload();
    if (answer?.ok !== true || own !== this.#wanted) return;
    const text = await answer.text();
    if (own !== this.#wanted) return;
    const next = new DOMParser().parseFromString(text, 'text/html');
    this.#showTimes(next);
    document.title = next.title;
    for (const region of document.querySelectorAll<HTMLElement>('[data-live]')) this.#replace(region, next);
  }

  #replace(region: HTMLElement, next: Document): void {
    const name = `[data-live="${region.dataset.live}"]`;
    const other = next.querySelector<HTMLElement>(name);
    if (other === null || other.innerHTML === region.innerHTML) return;
    // What somebody is about to do stays.
    if (region.querySelector('details[open] form') !== null) return;
    const focused = region.contains(document.activeElement) ? document.activeElement : null;
    const at = focused === null ? -1 : this.#focusable(region).indexOf(focused as HTMLElement);
    const href = focused?.getAttribute('href');
    region.replaceChildren(...other.childNodes);
    if (focused === null) return;
    const all = this.#focusable(region);
    (
      all.find((one) => href !== null && one.getAttribute('href') === href) ?? all[Math.min(at, all.length - 1)]
    )?.focus();
  }

  #focusable(region: HTMLElement): HTMLElement[] {
    return [...region.querySelectorAll<HTMLElement>('a, button, input, summary')];
  }

  /** Shows times in the zone of the reader, to the minute, and all of them as a hint. */
  #showTimes(place: Document): void {
    const zone = place.querySelector('#zone');
    if (zone !== null) zone.textContent = `Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;
    for (const one of place.querySelectorAll('main time')) {
      const whole = this.#tools.localTime((one as HTMLTimeElement).dateTime);
      (one as HTMLTimeElement).title = whole;
      one.textContent = whole.slice(0, 16);
    }
  }
}
