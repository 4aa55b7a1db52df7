import type { Clause } from '../../store/search.js';
import type { Query } from '../search.js';
import { refuse } from '../service-error.js';
import type { Workspace } from '../workspace.js';
import { candidates } from './candidates.js';
import { compileCriteria } from './criteria.js';
import { loadNames } from './item-fields.js';

/**
 * Finds the items that meet the parameter `criteria` of a search: a JSON text in the form that exports take (interface
 * 4.6; wire-facts 3, "criteria").
 */
export function criteriaClause(value: Query[string], { settings }: Workspace): Clause | undefined {
  if (value === undefined) return undefined;
  const criteria = parsed(value);
  const test = compileCriteria(criteria, loadNames(settings));
  const found: string[] = [];
  for (const page of candidates(criteria, settings)) found.push(...page.filter(test).map(({ guid }) => guid));
  return { sql: 't.guid IN (SELECT value FROM json_each(?))', values: [JSON.stringify(found)] };
}

function parsed(value: Exclude<Query[string], undefined>): readonly unknown[] {
  try {
    const criteria: unknown = JSON.parse(String(value));
    if (Array.isArray(criteria)) return criteria;
  } catch {
    // Refused below.
  }
  throw refuse.invalid('criteria', 'it is not a JSON array.');
}
