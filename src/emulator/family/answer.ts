import type { Row } from '#base/sqlite/sqlite.js';
import { listEnvelope } from '../routes/schemas.js';
import { type TSchema, Type } from '../routes/type.js';
import type { Query } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Family, View } from './family.js';
import type { AnswerContext, Field, StoredRecord } from './field.js';
import { findRow } from './records.js';

/** An entry as an answer shows it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Returns a function that turns rows into answers; `without` names fields to leave out. */
export function createAnswerer<R extends StoredRecord>(
  family: Family<R>,
  viewing: AnswerContext,
  view: View = 'full',
  without: readonly string[] = [],
): (row: Row) => Answer {
  const shown = family.having.shown[view].filter(
    (field) => !without.includes(field.name) && isShown(family, field, viewing),
  );
  return (row) => {
    let known: R | undefined;
    const record = (): R => {
      known ??= family.read(row);
      return known;
    };
    const answer: Record<string, unknown> = { guid: row.guid };
    for (const field of shown) {
      answer[field.name] = field.show ? field.show(row, viewing, record) : field.read?.(row);
    }
    return answer;
  };
}

/** Returns the full view of the record with a GUID; refuses an unknown GUID with 3011. */
export function answerFor(workspace: Workspace, family: Family, guid: string, query: Query = {}): Answer {
  return createAnswerer(family, { workspace, query })(findRow(workspace, family, guid));
}

/** The JSON schema of answers; fields that a dialect may leave out are optional. */
export function answerSchema(
  { having }: Pick<Family, 'having'>,
  view: View = 'full',
  without: readonly string[] = [],
): TSchema {
  return objectOf(
    having.shown[view].filter((field) => !without.includes(field.name)),
    (field) => field.updatableOnly,
  );
}

/** The JSON schema of the list; fields that its parameters may leave out are optional, too. */
export function listSchema({ having, listView = 'full' }: Family): TSchema {
  return listEnvelope(objectOf(having.shown[listView], (field) => field.updatableOnly ?? field.onDemand));
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
