import { parseFlag, parseSearch, parseWholeSearch, type Query, type Searchable } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Row } from '../store/driver.js';
import type { Clause, Search } from '../store/search.js';
import { type List, selectPage } from '../store/select.js';
import { type Answer, answersOf } from './answer.js';
import type { Family } from './family.js';
import type { Field } from './field.js';

/** The entries of a list that a query finds, as the list shows them. `fixed` holds for all of them. */
export function listRecords(workspace: Workspace, family: Family, query: Query, ...fixed: readonly Clause[]): Answer[] {
  const { flags, rest } = splitQuery(family, query);
  const further = furtherColumns(family, workspace);
  const columns = { ...family.rows.columns, ...further };
  const search = searchOf(family, { ...family.search, ...textual(further) }, rest);
  const widened = family.fields.reduce((found, field) => widen(field, found, flags, workspace), search);
  const list: List<Row> = { ...family.rows, columns };
  const without = family.fields.filter(({ onDemand }) => onDemand && !parseFlag(flags, onDemand, true));
  const names = without.map(({ name }) => name);
  const answer = answersOf(family, { workspace, query: flags }, family.listView, names);
  return selectPage(workspace.settings, list, widened, ...fixed).map(answer);
}

/** The parameters of a list that are no searches. */
export function flagNames({ fields }: Pick<Family, 'fields'>): readonly string[] {
  return fields.flatMap(({ onDemand, widened, viewParameters = [] }) => {
    return [...(onDemand === undefined ? [] : [onDemand]), ...(widened ? [widened.parameter] : []), ...viewParameters];
  });
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

function furtherColumns({ fields }: Family, workspace: Workspace): Readonly<Record<string, string>> {
  return Object.assign({}, ...fields.map((field) => field.searchedToo?.(workspace) ?? {}));
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
