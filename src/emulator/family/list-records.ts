import type { Row } from '#base/sqlite/sqlite.js';
import type { Shape } from '../interface/shape.js';
import { parseFlag, parseSearch, parseWholeSearch, type Query, type Searchable } from '../rules/search.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause, Search } from '../store/search.js';
import { type List, selectPage } from '../store/select.js';
import { type Answer, chooseView, createAnswerer } from './answer.js';
import type { Family } from './family.js';
import type { AnswerContext, Field } from './field.js';

/** The part of a family that a list contains. */
interface Part {
  /** A condition that holds for all its entries. */
  readonly fixed?: Clause;
  /** The form of its entries, if not that of the family's own list. */
  readonly view?: Shape | undefined;
  /** The user who created all its entries. */
  readonly creator?: string;
}

/** Lists the entries that a query finds, as the list shows them. */
export function listRecords(workspace: Workspace, family: Family, query: Query, part: Part = {}): Answer[] {
  const { flags, rest } = splitQuery(family, query);
  refuseExclusive(family, rest);
  const viewing: AnswerContext = { workspace, query: flags };
  const further = furtherColumns(family, viewing);
  const columns = { ...family.rows.columns, ...further };
  const search = searchOf(family, { ...family.search, ...textual(further) }, rest);
  const widened = family.fields.reduce((found, field) => widen(field, found, flags, workspace), search);
  const list: List<Row> = { ...family.rows, columns };
  const unwanted = family.fields.filter(({ onDemand: on }) => on && !parseFlag(flags, on.parameter, on.otherwise));
  const without = unwanted.map(({ name }) => name);
  const narrowed = family.narrowed?.clause(flags[family.narrowed.parameter], workspace);
  const own = part.creator === undefined ? undefined : { sql: 't.creator = ?', values: [part.creator] };
  const fixed = [part.fixed, own, family.listed, narrowed].filter((clause) => clause !== undefined);
  const rows = selectPage(workspace.settings, list, widened, ...fixed).map((row) =>
    shownInstead(workspace, family, row),
  );
  return rows.map(createAnswerer(family, viewing, part.view ?? chooseView(family, 'list', flags), without));
}

function shownInstead({ settings }: Workspace, { listedAs, byGuid }: Family, row: Row): Row {
  const guid = listedAs === undefined ? null : (row[listedAs] ?? null);
  return guid === null ? row : (settings.get(byGuid, guid) ?? row);
}

/** Returns the parameters of a list that are not searches. */
export function flagNames({ fields, views, narrowed }: Family): readonly string[] {
  const own = fields.flatMap(({ onDemand, widened, viewParameters = [] }) => {
    return [...(onDemand ? [onDemand.parameter] : []), ...(widened ? [widened.parameter] : []), ...viewParameters];
  });
  return [...own, ...(views ? [views.parameter] : []), ...(narrowed ? [narrowed.parameter] : [])];
}

function refuseExclusive({ exclusive }: Family, query: Query): void {
  if (exclusive === undefined) return;
  const [one, other, code] = exclusive;
  if (query[one] !== undefined && query[other] !== undefined) {
    throw refusal(code, `A search by "${one}" cannot be one by "${other}" as well.`);
  }
}

function splitQuery(family: Family, query: Query): { readonly flags: Query; readonly rest: Query } {
  const names = flagNames(family);
  const isFlag = ([name]: readonly [string, unknown]): boolean => names.includes(name);
  const entries = Object.entries(query);
  return {
    flags: Object.fromEntries(entries.filter(isFlag)),
    rest: Object.fromEntries(entries.filter((entry) => !isFlag(entry))),
  };
}

const searchOf = ({ paged }: Family, searchable: Searchable, query: Query): Search =>
  paged ? parseSearch(query, searchable) : parseWholeSearch(query, searchable);

function furtherColumns({ fields }: Family, viewing: AnswerContext): Readonly<Record<string, string>> {
  return Object.assign({}, ...fields.map((field) => field.searchedToo?.(viewing) ?? {}));
}

const textual = (columns: Readonly<Record<string, string>>): Searchable =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, 'text' as const]));

function widen({ name, widened }: Field, search: Search, flags: Query, workspace: Workspace): Search {
  if (!widened || !parseFlag(flags, widened.parameter, true)) return search;
  const criteria = search.criteria.map((criterion) => {
    return criterion.attribute === `${name}.guid` ? widened.widen(criterion, workspace) : criterion;
  });
  return { ...search, criteria };
}
