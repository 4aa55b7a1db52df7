import type { PageTools } from './page-tools.js';
import type { ListView, PagedList } from './paged-list.js';

/** A row that failed. */
export interface FailedRow {
  /** The numbers of all rows that are meant; empty if the row was not found. */
  readonly row: string;
  readonly key: string;
  readonly column: string;
  readonly value: string;
  readonly message: string;
  readonly code: string;
  readonly certainty: string;
  readonly doubt: string;
  /** Index of the cause in the list of causes. */
  readonly cause: number;
}

/** The failed rows of an import, which can be copied. */
export class FailedRows implements ListView<FailedRow> {
  readonly #rows: readonly FailedRow[];
  readonly #tools: PageTools;
  readonly #labels: readonly string[];

  constructor(tools: PageTools, rows: readonly FailedRow[]) {
    this.#rows = rows;
    this.#tools = tools;
    this.#labels = [...document.querySelectorAll('#failed th')].map((head) => head.textContent);
  }

  start(list: PagedList<FailedRow>): void {
    const { at } = this.#tools;
    at('copy').addEventListener('click', () => this.#copy(list.left));
    for (const button of document.querySelectorAll<HTMLElement>('button.cause')) {
      button.addEventListener('click', () => {
        at<HTMLSelectElement>('cause').value = button.dataset.cause ?? '';
        list.filter();
        at('rows').scrollIntoView();
        at('cause').focus({ preventScroll: true });
      });
    }
    list.filter();
  }

  searchText(row: FailedRow): string {
    return [...this.#texts(row), row.doubt].join('\n');
  }

  filter(isFound: (row: FailedRow) => boolean): readonly FailedRow[] {
    const [isCause, isCertainty] = [this.#tools.choice('cause'), this.#tools.choice('certainty')];
    return this.#rows.filter((row) => isCause(String(row.cause)) && isCertainty(row.certainty) && isFound(row));
  }

  countText(left: number): string {
    const [{ count }, all] = [this.#tools, this.#rows.length];
    return `${count(left)} of ${count(all)} ${all === 1 ? 'failed row' : 'failed rows'}`;
  }

  show(rows: readonly FailedRow[]): void {
    this.#tools.at<HTMLTableElement>('failed').tBodies[0]?.replaceChildren(...rows.map((row) => this.#line(row)));
  }

  /** The texts of a row in the order of the table's columns. */
  #texts({ row, key, column, value, message, code, certainty }: FailedRow): readonly string[] {
    return [row, key, column, value, message, code, certainty];
  }

  #line(failed: FailedRow): HTMLElement {
    const { make } = this.#tools;
    const classes = ['number', '', '', 'value', '', 'number', ''];
    const texts = this.#texts({ ...failed, row: failed.row === '' ? 'not found' : failed.row });
    const cells = texts.map((text, index) => {
      const cell = make('td', classes[index] ?? '', make('div', 'long', text));
      cell.dataset.label = this.#labels[index] ?? '';
      return cell;
    });
    if (failed.doubt !== '') cells[4]?.append(make('div', 'doubt', failed.doubt));
    return make('tr', failed.certainty === 'doubtful' ? 'doubtful' : '', ...cells);
  }

  async #copy(rows: readonly FailedRow[]): Promise<void> {
    const clean = (text: string): string => text.replace(/[\t\r\n]+/g, ' ');
    const lines = rows.map((row) => this.#texts(row).map(clean).join('\t'));
    await this.#toClipboard([this.#labels.join('\t'), ...lines].join('\n'));
    const { at, count } = this.#tools;
    at('copy').textContent = `Copied ${count(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`;
    setTimeout(() => {
      at('copy').textContent = 'Copy these rows';
    }, 2000);
  }

  /** A page of a file may not be allowed to use the clipboard, but can copy what is selected. */
  async #toClipboard(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = this.#tools.make('textarea', '');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
  }
}
