import type { PageTools } from './page-tools.js';
import type { ListView, PagedList } from './paged-list.js';

/** A part of a line; 1: it differs from the other side. */
export type Segment = readonly [text: string, differs: 0 | 1];

/** A line of both sides; null if one has none. */
export type Line = readonly [before: readonly Segment[] | null, after: readonly Segment[] | null];

/** One field with both values side by side. */
export interface PageField {
  readonly path: string;
  readonly lines: readonly Line[];
  readonly isOutside: boolean;
}

/** A change as the page shows it. */
export interface PageChange {
  readonly address: string;
  readonly kind: string;
  /** The action of the plan, the change by somebody else, or the workspace that has the object. */
  readonly action: string;
  readonly message: string;
  /** How it ended, if it was begun, or how many environments of a fleet have it. */
  readonly outcome?: string;
  /** `manifests/groups.yaml:3` */
  readonly place: string;
  readonly fields: readonly PageField[];
}

/** What the page of a plan shows as a list. */
export interface PlanData {
  /** The titles of the two values of a field. */
  readonly sides: readonly [left: string, right: string];
  readonly changes: readonly PageChange[];
}

/** The changes of a plan, whose fields are shown when they are opened, and the picture of their order. */
export class PlanChanges implements ListView<PageChange> {
  readonly #changes: readonly PageChange[];
  readonly #tools: PageTools;
  readonly #sides: PlanData['sides'];

  constructor(tools: PageTools, { sides, changes }: PlanData) {
    this.#changes = changes;
    this.#tools = tools;
    this.#sides = sides;
  }

  start(list: PagedList<PageChange>): void {
    const { at } = this.#tools;
    this.#tools.searchBySlash();
    at('open').addEventListener('click', () => this.#openAll());
    for (const node of document.querySelectorAll<SVGElement>('.node')) {
      const choose = (): void => this.#choose(node.dataset, list);
      node.addEventListener('click', choose);
      node.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        choose();
      });
    }
    list.filter();
    const isOne = this.#changes.length === 1;
    for (const one of document.querySelectorAll<HTMLElement>('.filter, #open')) one.hidden = isOne;
    if (this.#changes.length <= 12) this.#openAll();
  }

  searchText({ address, action, message, outcome = '', place, fields }: PageChange): string {
    const sides = fields.flatMap(({ lines }) => lines.flat());
    const values = sides.map((side) => (side ?? []).map(([text]) => text).join(''));
    return [address, action, message, outcome, place, ...fields.map(({ path }) => path), ...values].join('\n');
  }

  filter(isFound: (change: PageChange) => boolean): readonly PageChange[] {
    const [isAction, isKind] = [this.#tools.choice('action'), this.#tools.choice('kind')];
    return this.#changes.filter((change) => isAction(change.action) && isKind(change.kind) && isFound(change));
  }

  countText(left: number): string {
    const { count } = this.#tools;
    return this.#changes.length === 1 ? '1 change' : `${count(left)} of ${count(this.#changes.length)} changes`;
  }

  show(changes: readonly PageChange[]): void {
    this.#tools.at('list').replaceChildren(...changes.map((change) => this.#item(change)));
  }

  #openAll(): void {
    for (const one of document.querySelectorAll<HTMLDetailsElement>('#list details')) one.open = true;
  }

  #choose({ search = '', action = '', kind = '' }: DOMStringMap, list: PagedList<PageChange>): void {
    for (const [id, value] of Object.entries({ text: search, action, kind }))
      this.#tools.at<HTMLInputElement>(id).value = value;
    list.filter();
    this.#tools.at('changes').scrollIntoView();
    document.querySelector<HTMLElement>('#list summary')?.focus({ preventScroll: true });
  }

  #item(change: PageChange): HTMLElement {
    const { make } = this.#tools;
    const { address, action, outcome, fields } = change;
    const paths = fields.slice(0, 4).map(({ path }) => path);
    const more = fields.length - paths.length;
    const what = make('span', 'what', outcome === undefined ? action : `${action}, ${outcome}`);
    const which = make('span', 'paths', `${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
    const made = make('details', `act-${action}`, make('summary', '', make('b', '', address), ' ', what, ' ', which));
    made.addEventListener('toggle', () => {
      if (made.open && made.childElementCount === 1) made.append(this.#body(change));
    });
    return made;
  }

  #body({ message, place, fields }: PageChange): HTMLElement {
    const { make } = this.#tools;
    const said = make('p', '', this.#tools.withLocalTimes(message));
    const tables = fields.length === 0 ? [] : [make('div', 'wide', this.#table(fields))];
    return make('div', 'body', said, make('p', 'place', place), ...tables);
  }

  #table(fields: readonly PageField[]): HTMLElement {
    const { make } = this.#tools;
    const titles = ['Field', ...this.#sides].map((title) => make('th', '', title));
    for (const title of titles) title.scope = 'col';
    const rows = fields.flatMap((field) => this.#fieldRows(field));
    return make('table', 'diff', make('thead', '', make('tr', '', ...titles)), make('tbody', '', ...rows));
  }

  #fieldRows({ path, lines, isOutside }: PageField): HTMLElement[] {
    const { make } = this.#tools;
    const shown: readonly Line[] = lines.length === 0 ? [[null, null]] : lines;
    // A long name is broken between its parts only.
    const parts = `${path}${isOutside ? ' (changed outside)' : ''}`.split(/(?<=[.\]])/);
    return shown.map(([before, after], index) => {
      const name = index === 0 ? parts.flatMap((part) => [part, make('wbr', '')]) : [];
      const sides = [this.#side(before, after, 'gone'), this.#side(after, before, 'come')];
      return make('tr', index === 0 ? 'first' : '', make('td', 'field', ...name), ...sides);
    });
  }

  /** The whole line differs if the other side has none. */
  #side(own: Line[number], other: Line[number], className: string): HTMLElement {
    const { make } = this.#tools;
    const differs = (segment: Segment): boolean => segment[1] === 1 || other === null;
    const segments = own ?? [];
    const parts = segments.map((segment) => (differs(segment) ? make('mark', '', segment[0]) : segment[0]));
    return make('td', segments.some(differs) ? className : '', ...parts);
  }
}
