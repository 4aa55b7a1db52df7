import type { Dialect } from '../../dialects/dialect.js';
import type { Trigger } from '../../families/triggers.js';
import type { PlacedItem } from '../../store/item-pages.js';
import { compileCondition, type ItemTest } from '../criteria/criteria.js';
import type { FieldsByName, Names } from '../criteria/item-fields.js';
import { PATH_SEPARATOR } from '../item-settings.js';
import { ServiceError } from '../service-error.js';

/** A change of an item, with its state before the change, or the first state of a new item. */
export interface Occurrence {
  readonly kind: 'CREATE' | 'EDIT';
  readonly state: PlacedItem;
  readonly changed: ReadonlySet<string>;
}

/** A trigger with its compiled test. */
export interface Watch {
  readonly trigger: Trigger;
  readonly fits: (occurrence: Occurrence) => boolean;
}

/** The attribute whose edits are workflow actions (wire-facts 6.1, "WORKFLOW: lifecyclePhase (items)"). */
export const WORKFLOW_ATTRIBUTE = 'lifecyclePhase';

/**
 * Compiles a trigger to a test. Category, edited attributes and conditions apply to the state before the event
 * (interface 6); a category includes those below it. A condition on an attribute that was deleted since never holds.
 */
export function watchFor(trigger: Trigger, names: Names, fields: FieldsByName, dialect: Dialect): Watch {
  const inCategory = categoryTest(trigger.category, names);
  const tests = trigger.conditions.map((condition) => safely(() => compileCondition(condition, fields)));
  const roots = new Set(trigger.attributes.map((name) => rootOf(name, names, dialect)));
  return {
    trigger,
    fits: ({ kind, state, changed }) =>
      actionFits(trigger.action, kind, changed, roots) && inCategory(state) && tests.every((test) => test(state)),
  };
}

function actionFits(
  action: Trigger['action'],
  kind: Occurrence['kind'],
  changed: ReadonlySet<string>,
  roots: ReadonlySet<string>,
): boolean {
  switch (action) {
    case 'CREATE':
      return kind === 'CREATE';
    case 'EDIT':
      return kind === 'EDIT' && (roots.size === 0 || [...roots].some((root) => changed.has(root)));
    case 'WORKFLOW':
      return kind === 'EDIT' && changed.has(WORKFLOW_ATTRIBUTE);
    default:
      return action satisfies never;
  }
}

function categoryTest(category: string | null, { categories }: Names): ItemTest {
  if (category === null) return () => true;
  const path = categories.get(category)?.path.toLowerCase();
  const below = [...categories.values()].filter((other) => {
    return path !== undefined && other.path.toLowerCase().startsWith(`${path}${PATH_SEPARATOR}`);
  });
  const meant = new Set([category, ...below.map(({ guid }) => guid)]);
  return (item) => meant.has(item.category);
}

function safely(compile: () => ItemTest): ItemTest {
  try {
    return compile();
  } catch (error) {
    if (error instanceof ServiceError) return () => false;
    throw error;
  }
}

/** Resolves a name: `category.path` means `category`; a name of the dialect means the GUID of an attribute. */
function rootOf(name: string, { attributes }: Names, { customAttributes }: Dialect): string {
  const byName = customAttributes === 'name' && attributes.find((attribute) => attribute.name === name);
  return byName ? byName.guid : (name.split('.', 1)[0] ?? name);
}
