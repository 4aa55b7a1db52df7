import type { PageTools } from './page-tools.js';

/** The rows of a page, and how it shows them. */
export interface ListView<Row> {
  /** Begins to listen to what only this page has, and shows the list. */
  start(list: PagedList<Row>): void;
  /** Returns the text of a row in which words are searched. */
  searchText(row: Row): string;
  /** Returns the rows that its own filters and the search leave, in the order in which they are shown. */
  filter(isFound: (row: Row) => boolean): readonly Row[];
  /** Says how many rows the filters leave. */
  countText(left: number): string;
  /** Shows the rows of one page; `before` is the last row of the page before it. */
  show(rows: readonly Row[], before: Row | undefined): void;
}

/** A list that is filtered by a form and shown page by page. */
export class PagedList<Row> {
  readonly #tools: PageTools;
  readonly #view: ListView<Row>;
  readonly #texts = new Map<Row, string>();
  readonly #size = 100;
  #left: readonly Row[] = [];
  #page = 0;

  constructor(tools: PageTools, view: ListView<Row>) {
    this.#tools = tools;
    this.#view = view;
    const form = document.querySelector<HTMLFormElement>('.filter');
    for (const field of form?.elements ?? []) field.addEventListener('input', () => this.filter());
    form?.addEventListener('submit', (event) => event.preventDefault());
    // The fields change after this event.
    form?.addEventListener('reset', () => setTimeout(() => this.filter()));
    tools.at('previous').addEventListener('click', () => this.#show(this.#page - 1));
    tools.at('next').addEventListener('click', () => this.#show(this.#page + 1));
  }

  /** The rows that the filters leave, on all pages. */
  get left(): readonly Row[] {
    return this.#left;
  }

  /** Shows the first page of the rows that the filters leave. */
  filter(): void {
    const words = this.#tools.value('text').toLowerCase().split(/\s+/);
    this.#left = this.#view.filter((row) => words.every((word) => this.#has(row, word)));
    this.#show(0);
  }

  #has(row: Row, word: string): boolean {
    if (word === '') return true;
    const text = this.#texts.get(row) ?? this.#view.searchText(row).toLowerCase();
    this.#texts.set(row, text);
    return text.includes(word);
  }

  #show(page: number): void {
    const [tools, size] = [this.#tools, this.#size];
    const pages = Math.max(1, Math.ceil(this.#left.length / size));
    this.#page = page;
    this.#view.show(this.#left.slice(page * size, (page + 1) * size), this.#left[page * size - 1]);
    tools.at('count').textContent = this.#view.countText(this.#left.length);
    tools.at('page').textContent = `page ${tools.count(page + 1)} of ${tools.count(pages)}`;
    tools.at<HTMLButtonElement>('previous').disabled = page === 0;
    tools.at<HTMLButtonElement>('next').disabled = page === pages - 1;
    tools.at('pages').hidden = pages === 1;
  }
}
