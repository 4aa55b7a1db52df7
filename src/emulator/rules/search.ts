import type { Criterion, Search } from '../store/search.js';
import { parseDateTime, zulu } from './date-times.js';
import { refuse } from './service-error.js';

/** How a searchable attribute is compared; a state is a choice whose words are written with or without underscores. */
export type Comparison = 'text' | 'contains' | 'number' | 'flag' | 'choice' | 'state' | 'dateTimeFrom' | 'dateTimeTo';

/** The searchable attributes of a list; any other is refused with 3019. */
export type Searchable = Readonly<Record<string, Comparison>>;

/** The query of a request, not yet parsed. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

const DEFAULT_LIMIT = 20;
const MOST = 400;
const FLAGS = new Map([
  ['true', 1],
  ['false', 0],
]);

/**
 * Parses `attribute=value` pairs and the page of a list (wire-facts 3: 20 entries by default, 400 at most; `*` at
 * either end of a text matches anything). Refuses an attribute that the list cannot be searched by.
 */
export function parseSearch(query: Query, searchable: Searchable): Search {
  const { offset, limit, ...rest } = query;
  const criteria = Object.entries(rest).map(([attribute, value]) => {
    const comparison = Object.hasOwn(searchable, attribute) ? searchable[attribute] : undefined;
    if (comparison === undefined) throw refuse.unsearchable(attribute);
    return criterionOf(attribute, comparison, single(attribute, value));
  });
  return { ...parsePage(offset, limit), criteria };
}

/** All entries: SQLite reads a limit of -1 as no limit. */
const WHOLE = { offset: 0, limit: -1 } as const;

/** Parses the search of a whole list, ignoring `offset` and `limit` (wire-facts 0 and 3, "Not paginated"). */
export function parseWholeSearch(query: Query, searchable: Searchable): Search {
  const { offset: _, limit: __, ...rest } = query;
  return { ...parseSearch(rest, searchable), ...WHOLE };
}

/** Parses a parameter that is `true` or `false` and not a search. */
export function parseFlag(query: Query, name: string, otherwise: boolean): boolean {
  const value = query[name];
  return value === undefined ? otherwise : flagOf(name, single(name, value)) === 1;
}

function parsePage(offset: Query[string], limit: Query[string]): { offset: number; limit: number } {
  const page = { offset: integerOf(offset, 0), limit: integerOf(limit, DEFAULT_LIMIT) };
  if (page.offset < 0 || page.limit < 1 || page.limit > MOST) throw refuse.page();
  return page;
}

function integerOf(text: Query[string], otherwise: number): number {
  if (text === undefined) return otherwise;
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) throw refuse.page();
  return Number(text);
}

function single(name: string, value: Query[string]): string {
  if (typeof value !== 'string') throw refuse.invalid(name, 'it is given more than once.');
  if (value.trim() === '') throw refuse.blankSearch(name);
  return value;
}

function criterionOf(attribute: string, comparison: Comparison, text: string): Criterion {
  switch (comparison) {
    case 'text':
      return textCriterion(attribute, text);
    case 'contains':
      return textCriterion(attribute, `*${text.replace(/^\*+|\*+$/g, '')}*`);
    case 'number':
      return { attribute, test: 'equals', value: numberOf(attribute, text) };
    case 'flag':
      return { attribute, test: 'equals', value: flagOf(attribute, text) };
    case 'choice': {
      const [value = '', ...values] = text.split(';').map((choice) => choice.trim());
      return { attribute, test: 'in', value, values };
    }
    case 'state':
      return criterionOf(attribute, 'choice', text.replaceAll('_', ''));
    case 'dateTimeFrom':
      return { attribute, test: 'from', value: dateTimeOf(attribute, text) };
    case 'dateTimeTo':
      return { attribute, test: 'to', value: dateTimeOf(attribute, text) };
    default:
      return comparison satisfies never;
  }
}

function textCriterion(attribute: string, text: string): Criterion {
  const before = text.startsWith('*');
  const after = text.endsWith('*') && text.length > 1;
  if (!before && !after) return { attribute, test: 'equals', value: text };
  const core = text.slice(before ? 1 : 0, after ? -1 : undefined).replace(/[\\%_]/g, '\\$&');
  return { attribute, test: 'like', value: `${before ? '%' : ''}${core}${after ? '%' : ''}` };
}

function numberOf(attribute: string, text: string): number {
  const number = Number(text);
  if (!Number.isFinite(number)) throw refuse.invalid(attribute, `"${text}" is not a number.`);
  return number;
}

function flagOf(attribute: string, text: string): number {
  const flag = FLAGS.get(text.toLowerCase());
  if (flag === undefined) throw refuse.invalid(attribute, `"${text}" is neither true nor false.`);
  return flag;
}

function dateTimeOf(attribute: string, text: string): string {
  const date = parseDateTime(text, 'UTC');
  if (!date) throw refuse.invalid(attribute, `"${text}" is not a date-time such as 2025-01-31T08:00:00Z.`);
  return zulu(date);
}
