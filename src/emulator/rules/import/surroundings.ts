import { approvalStatuses } from '../../families/approval-statuses.js';
import { type LifecyclePhase, lifecyclePhases } from '../../families/lifecycle-phases.js';
import { users } from '../../families/users.js';
import { selectRecords } from '../../family/records.js';
import type { Database } from '../../store/database.js';
import { type Category, type CategoryWorld, categoryList } from '../../store/item-settings.js';
import { selectAll } from '../../store/select.js';
import { UNCATEGORIZED } from '../item-settings.js';
import { refuse, ServiceError } from '../service-error.js';

/** The objects that records refer to, found by the names in cells. */
export interface Surroundings {
  readonly defaultCategory: string;
  readonly defaultPhase: string;
  /** Returns the GUID of the object that a cell names, for a key such as `category.path`; refuses an unknown object. */
  resolve(key: string, text: string): string;
  /** Whether a category is the other one or below it at any depth. */
  isWithin(category: string, other: string): boolean;
}

/** Loads the current categories of a world, lifecycle phases, users and approval statuses. */
export function loadSurroundings(settings: Database, world: CategoryWorld): Surroundings {
  const categories = selectAll(settings, categoryList, { sql: 'world = ?', values: [world] });
  const phases = selectRecords(settings, lifecyclePhases);
  const people = selectRecords(settings, users);
  const indexes = new Map<string, Map<string, readonly string[]>>([
    ['category.name', index(categories, (category) => category.name)],
    ['category.path', index(categories, (category) => category.path)],
    ['category.guid', index(categories, (category) => category.guid)],
    ['lifecyclePhase.name', index(phases, (phase) => phase.name)],
    ['lifecyclePhase.guid', index(phases, (phase) => phase.guid)],
    ['approvalStatus.name', index(selectRecords(settings, approvalStatuses), (status) => status.name)],
    ['owner.fullName', index(people, (user) => user.fullName)],
  ]);
  const parents = new Map(categories.map(({ guid, parent }) => [guid, parent]));
  const structural = new Set(categories.filter((category) => category.structural).map((category) => category.guid));
  return {
    defaultCategory: defaultCategory(categories),
    defaultPhase: defaultPhase(phases),
    resolve(key, text) {
      const guid = only(indexes.get(key)?.get(text.toLowerCase()) ?? [], key, text);
      if (structural.has(guid))
        throw new ServiceError({ code: 3007, message: `Nothing can be in the category "${text}".` });
      return guid;
    },
    isWithin(category, other) {
      for (let at: string | null | undefined = category; at; at = parents.get(at)) if (at === other) return true;
      return false;
    },
  };
}

function index<T extends { readonly guid: string }>(objects: readonly T[], name: (object: T) => string) {
  const guids = new Map<string, string[]>();
  for (const object of objects) {
    const key = name(object).toLowerCase();
    guids.set(key, [...(guids.get(key) ?? []), object.guid]);
  }
  return guids;
}

function only(guids: readonly string[], key: string, text: string): string {
  const [guid, ...others] = guids;
  if (guid === undefined) throw refuse.option(text, key);
  if (others.length > 0) throw refuse.invalid(key, `"${text}" is the name of ${others.length + 1} objects.`);
  return guid;
}

function defaultCategory(categories: readonly Category[]): string {
  return categories.find((category) => category.name === UNCATEGORIZED)?.guid ?? '';
}

function defaultPhase(phases: readonly LifecyclePhase[]): string {
  return phases[0]?.guid ?? '';
}
