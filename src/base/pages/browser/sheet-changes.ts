import type { PageTools } from './page-tools.js';
import type { ListView, PagedList } from './paged-list.js';

/** What becomes of a row. */
export type RowKind = 'unchanged' | 'new' | 'changed' | 'removed' | 'gone' | 'refused' | 'kept';

/** A column on the page. */
export interface SheetColumn {
  readonly name: string;
  /** Such as `B`; empty for a text file. */
  readonly letter: string;
  /** `constant`: not in the cells of the file. `unused`: nothing of it is imported. */
  readonly use: 'key' | 'imported' | 'constant' | 'unused';
}

/** A row with its changes. */
export interface SheetRow {
  readonly row: number | string | null;
  readonly kind: RowKind;
  readonly key: readonly string[];
  readonly cells: readonly string[];
  /** Position of the column, old and new value of each cell that changes. */
  readonly changes: readonly (readonly [column: number, before: string, after: string])[];
  readonly why: string;
}

/** What the page of changed rows shows as a sheet. */
export interface SheetData {
  readonly columns: readonly (SheetColumn & { readonly isCompared: boolean })[];
  /** Whether rows can be grouped by the first part of their key. */
  readonly hasParents: boolean;
  readonly words: Readonly<Record<RowKind, string>>;
  readonly marks: Readonly<Record<RowKind, string>>;
  readonly rows: readonly SheetRow[];
}

type Column = SheetData['columns'][number] & { readonly place: number };

/** The rows of a sheet with their changes, grouped by parent or in the order of the file. */
export class SheetChanges implements ListView<SheetRow> {
  readonly #tools: PageTools;
  readonly #data: SheetData;
  readonly #columns: readonly Column[];
  readonly #changed: readonly SheetRow[];
  /** Number of rows that change in a column, by its position. */
  readonly #changedIn = new Map<number, number>();
  readonly #byParent = new Map<string, SheetRow[]>();

  constructor(tools: PageTools, data: SheetData) {
    this.#tools = tools;
    this.#data = data;
    this.#columns = data.columns.map((column, place) => ({ ...column, place }));
    this.#changed = data.rows.filter(({ kind }) => kind !== 'unchanged');
    for (const row of this.#changed.filter(({ kind }) => kind === 'changed'))
      for (const place of new Set(row.changes.map(([column]) => column)))
        this.#changedIn.set(place, (this.#changedIn.get(place) ?? 0) + 1);
    for (const row of data.hasParents ? data.rows : []) {
      const known = this.#byParent.get(this.#parent(row));
      if (known === undefined) this.#byParent.set(this.#parent(row), [row]);
      else known.push(row);
    }
  }

  start(list: PagedList<SheetRow>): void {
    const { at, count } = this.#tools;
    this.#tools.searchBySlash();
    at('grouping').hidden = !this.#data.hasParents;
    for (const { name, place } of this.#columns) {
      const rows = this.#changedIn.get(place);
      if (rows !== undefined) at('column').append(new Option(`${name} (${count(rows)})`, String(place)));
    }
    if (matchMedia('(max-width: 640px)').matches) {
      document.querySelector('#columns [value=changed]')?.setAttribute('selected', '');
      document.querySelector('.legend')?.removeAttribute('open');
    }
    list.filter();
  }

  searchText({ row, key, cells, changes, why }: SheetRow): string {
    return [row ?? '', ...key, ...cells, ...changes.flatMap(([, ...values]) => values), why].join('\n');
  }

  filter(isFound: (row: SheetRow) => boolean): readonly SheetRow[] {
    const isKind = this.#tools.choice('kind');
    const column = this.#tools.value('column');
    const rows = this.#isGrouped() ? [...this.#byParent.values()].flat() : this.#data.rows;
    const shown = this.#isChecked('unchanged') ? rows : rows.filter(({ kind }) => kind !== 'unchanged');
    const isChangedIn = ({ kind, changes }: SheetRow): boolean =>
      kind === 'changed' && changes.some(([place]) => String(place) === column);
    return shown.filter((row) => isKind(row.kind) && (column === '' || isChangedIn(row)) && isFound(row));
  }

  countText(left: number): string {
    const { count } = this.#tools;
    const all = (this.#isChecked('unchanged') ? this.#data.rows : this.#changed).length;
    return `${count(left)} of ${count(all)} ${all === 1 ? 'row' : 'rows'}`;
  }

  show(rows: readonly SheetRow[], before: SheetRow | undefined): void {
    const sheet = this.#tools.at<HTMLTableElement>('sheet');
    const columns = this.#shownColumns(this.#tools.value('columns'));
    const lines = rows.flatMap((row, index) => {
      const last = index === 0 ? before : rows[index - 1];
      const isMore = last !== undefined && this.#parent(last) === this.#parent(row);
      const group = this.#isGrouped() && (index === 0 || !isMore) ? [this.#groupLine(row, columns, isMore)] : [];
      return [...group, ...this.#lines(row, columns)];
    });
    sheet.tHead?.replaceChildren(this.#heading(columns));
    sheet.tBodies[0]?.replaceChildren(...lines);
    sheet.parentElement?.scrollTo({ top: 0 });
  }

  /** Whether the page has this box and it is checked. */
  #isChecked(id: string): boolean {
    return document.querySelector(`#${id}:checked`) !== null;
  }

  #isGrouped(): boolean {
    return this.#data.hasParents && this.#isChecked('grouped');
  }

  #parent({ key }: SheetRow): string {
    return key[0] ?? '';
  }

  #shownColumns(which: string): readonly Column[] {
    if (which === 'all') return this.#columns;
    return which === 'changed' && this.#changedIn.size > 0
      ? this.#columns.filter(({ use, place }) => use === 'key' || this.#changedIn.has(place))
      : this.#columns.filter(({ use }) => use !== 'unused');
  }

  #heading(columns: readonly Column[]): HTMLElement {
    const { make } = this.#tools;
    const cells = columns.map(({ name, letter, use, isCompared }) => {
      const said = use === 'unused' ? 'not imported' : use === 'constant' ? 'constant' : '';
      const notes = [letter, said, isCompared ? '' : 'not compared'].filter((note) => note !== '');
      return make('th', use, name, ...(notes.length === 0 ? [] : [make('small', '', notes.join(', '))]));
    });
    const all = [make('th', 'row', 'Row'), ...cells];
    for (const cell of all) cell.scope = 'col';
    return make('tr', '', ...all);
  }

  #groupLine(row: SheetRow, columns: readonly Column[], isMore: boolean): HTMLElement {
    const { make, count } = this.#tools;
    const parent = this.#parent(row);
    const own = this.#byParent.get(parent) ?? [];
    const parts = (['new', 'removed', 'changed', 'refused', 'kept', 'gone', 'unchanged'] as const).flatMap((kind) => {
      const some = own.filter((one) => one.kind === kind);
      const cells = kind === 'changed' ? this.#cellsText(some) : '';
      return some.length === 0 ? [] : [`${count(some.length)} ${this.#data.words[kind]}${cells}`];
    });
    const name = `${parent === '' ? '(no parent)' : parent}${isMore ? ' (continued)' : ''} `;
    const cell = make('th', '', make('span', '', name, make('small', '', parts.join(', '))));
    cell.colSpan = columns.length + 1;
    cell.scope = 'rowgroup';
    return make('tr', 'group', cell);
  }

  /** Says how many cells change, by column. */
  #cellsText(rows: readonly SheetRow[]): string {
    const cells = new Map<number, number>();
    for (const [place] of rows.flatMap(({ changes }) => changes)) cells.set(place, (cells.get(place) ?? 0) + 1);
    const texts = [...cells].map(([place, number]) => `${this.#columns[place]?.name} in ${this.#tools.count(number)}`);
    return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
  }

  #lines(row: SheetRow, columns: readonly Column[]): HTMLElement[] {
    const { make } = this.#tools;
    const { words, marks } = this.#data;
    const place = make('span', 'place', String(row.row ?? ''));
    const own = make('span', 'own', row.key.slice(this.#isGrouped() ? 1 : 0).join(' / '));
    const title = make(
      'th',
      `row is-${row.kind}`,
      make('i', '', marks[row.kind]),
      ' ',
      place,
      ` ${words[row.kind]}`,
      own,
    );
    title.scope = 'row';
    const line = make('tr', row.kind, title, ...columns.map((column) => this.#cell(row, column)));
    if (row.why === '') return [line];
    const why = make('td', '', make('span', '', row.why));
    why.colSpan = columns.length + 1;
    return [line, make('tr', 'why', why)];
  }

  #cell({ kind, cells, changes }: SheetRow, { place, use }: Column): HTMLElement {
    const { make } = this.#tools;
    const own = changes.filter(([column]) => column === place);
    if (own.length === 0) return make('td', use, cells[place] ?? '');
    const values = own.flatMap(([, before, after], index) => [
      ...(index === 0 ? [] : ['\n']),
      this.#value('del', before, 'was'),
      ...(kind === 'changed' ? [make('span', 'to', ' → '), this.#value('ins', after, 'becomes')] : []),
    ]);
    return make('td', `${use} cell`, ...values);
  }

  #value(tag: 'del' | 'ins', text: string, said: string): HTMLElement {
    const { make } = this.#tools;
    return make(tag, '', make('span', 'said', `${said} `), text === '' ? make('span', 'none', '(empty)') : text);
  }
}
