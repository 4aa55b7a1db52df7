import type { Row } from '#base/sqlite/sqlite.js';
import { entryShape } from '../interface/endpoints.js';
import { entrySchema, type Shape } from '../interface/shape.js';
import { listEnvelope } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { Family, Verb, View, Views } from './family.js';
import type { AnswerContext, Field, StoredRecord } from './field.js';
import { findRow } from './records.js';

/** An entry as an answer shows it. */
export type Answer = Readonly<Record<string, unknown>>;

/** A field as an answer shows it; without a shape, with all that it has. */
interface Shown {
  readonly field: Field;
  readonly shape?: Shape;
  /** Whether an answer may lack it. */
  readonly optional?: boolean;
}

/** Returns a function that turns rows into answers of a view or of a shape; `without` names fields to leave out. */
export function createAnswerer<R extends StoredRecord>(
  family: Family<R>,
  viewing: AnswerContext,
  view: View | Shape = 'full',
  without: readonly string[] = [],
): (row: Row) => Answer {
  const shown = shownIn(family, viewing, view).filter(({ field }) => !without.includes(field.name));
  const hasGuid = typeof view === 'string' || view.keys?.has('guid');
  return (row) => {
    let known: R | undefined;
    const record = (): R => {
      known ??= family.read(row);
      return known;
    };
    const answer: Record<string, unknown> = hasGuid ? { guid: row.guid } : {};
    for (const { field, shape, optional } of shown) {
      const value = field.show ? field.show(row, viewing, record, shape) : field.read?.(row);
      if (value === undefined && optional) continue;
      answer[field.name] = shape === undefined ? value : conform(value, shape);
    }
    return answer;
  };
}

function shownIn(family: Pick<Family, 'having' | 'capability'>, viewing: AnswerContext, view: View | Shape): Shown[] {
  if (typeof view === 'string') {
    const fields = family.having.shown[view].filter((field) => isShown(family, field, viewing));
    return fields.map((field) => ({ field }));
  }
  return [...(view.keys ?? [])].flatMap(([name, key]) => {
    const field = family.having.documented.find((one) => one.name === name);
    return field === undefined ? [] : [{ field, ...key }];
  });
}

/** Leaves out the keys that a documented shape lacks; a key without a value is null, if the shape always has it. */
export function conform(value: unknown, { types, keys, items }: Shape): unknown {
  if (value === null || value === undefined || typeof value !== 'object') return value ?? null;
  if (Array.isArray(value) && items !== undefined) return value.map((entry) => conform(entry, items));
  if (keys === undefined) return types.length === 1 && types[0] === 'null' ? null : value;
  const own = value as Answer;
  const shown: Record<string, unknown> = {};
  for (const [name, { shape, optional }] of keys) {
    if (!optional || own[name] !== undefined) shown[name] = conform(own[name], shape);
  }
  return shown;
}

/** Returns the full view of the record with a GUID; refuses an unknown GUID with 3011. */
export function answerFor(workspace: Workspace, family: Family, guid: string, query: Query = {}): Answer {
  return createAnswerer(
    family,
    { workspace, query },
    chooseView(family, 'get', query),
  )(findRow(workspace, family, guid));
}

/**
 * The form of the answers to an operation: the one that a parameter chooses, the documented one, or else the view that
 * the family gives. Refuses an unknown choice with 3006.
 */
export function chooseView(
  { endpoints, listView = 'full', views }: Pick<Family, 'endpoints' | 'listView' | 'views'>,
  verb: Verb,
  query: Query = {},
): View | Shape {
  if (views !== undefined && (verb === 'list' || verb === 'get')) {
    const asked = String(query[views.parameter] ?? (verb === 'list' ? views.list : 'full'));
    return (Object.hasOwn(views.of, asked) && views.of[asked]) || refuseView(asked, views);
  }
  if (verb === 'list') return endpoints?.list?.answer === undefined ? listView : (entryShape(endpoints.list) ?? 'full');
  // A write of which no sample shows the answer answers as a read does.
  return endpoints?.[verb]?.answer ?? endpoints?.get?.answer ?? 'full';
}

function refuseView(asked: string, { parameter }: Views): never {
  throw refuse.option(asked, parameter);
}

/** The JSON schema of answers; fields that a dialect may leave out are optional. */
export function answerSchema({ having }: Pick<Family, 'having'>, view: View | Shape = 'full'): TSchema {
  if (typeof view !== 'string') return entrySchema(view);
  return objectOf(having.shown[view], (field) => field.updatableOnly);
}

/** The JSON schema of the list; fields that its parameters may leave out are optional, too. */
export function listSchema(family: Family): TSchema {
  const views = family.views ? Object.values(family.views.of) : [chooseView(family, 'list')];
  const [entry = Type.Unknown(), ...others] = views.map((view) => entriesSchema(family, view));
  return listEnvelope(others.length === 0 ? entry : Type.Union([entry, ...others]));
}

/** The JSON schema of an entry of a list. */
export function entriesSchema({ having }: Pick<Family, 'having'>, view: View | Shape): TSchema {
  if (typeof view !== 'string') return entrySchema(view);
  return objectOf(having.shown[view], (field) => field.updatableOnly ?? field.onDemand);
}

function objectOf(fields: readonly Field[], isOptional: (field: Field) => unknown): TSchema {
  const entries = fields.map((field) => {
    const { name, answer = Type.Unknown() } = field;
    return [name, isOptional(field) ? Type.Optional(answer) : answer] as const;
  });
  return Type.Object({ guid: Type.String(), ...Object.fromEntries(entries) });
}

function isShown({ capability }: Pick<Family, 'capability'>, field: Field, { workspace }: AnswerContext): boolean {
  if (!field.updatableOnly || capability === undefined) return true;
  return workspace.dialect.capabilities[capability].update.includes(field.name);
}
