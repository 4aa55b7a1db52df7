import { createAnswerer } from '../family/answer.js';
import type { Family } from '../family/family.js';
import type { FieldFactory, WriteRequest } from '../family/field.js';
import { createRecord } from '../family/write-record.js';
import { Type } from '../routes/type.js';
import { selectAll } from '../store/select.js';
import { type GivenKeys, givenSchema } from './kept-value.js';

/** The entries of another family that belong to the record; a body that has the field replaces all of them. */
export function partsField(of: () => Family, given: GivenKeys | undefined): FieldFactory<undefined> {
  return (name) => ({
    name,
    answer: Type.Array(Type.Unknown()),
    show: ({ guid }, viewing, _, shape) => {
      if (shape !== undefined && shape.items === undefined) return null;
      const rows = selectAll(viewing.workspace.settings, of().rows, { sql: 't.owner = ?', values: [String(guid)] });
      return rows.map(createAnswerer(of(), viewing, shape?.items));
    },
    ...(given && { given: { schema: givenSchema(name, given), parse: () => undefined } }),
    store: (bodies, { guid }, writing) => {
      if (bodies !== undefined) replaceParts(of(), guid, bodies as readonly WriteRequest['body'][], writing);
    },
  });
}

function replaceParts(of: Family, owner: string, bodies: readonly WriteRequest['body'][], writing: WriteRequest): void {
  writing.workspace.settings.run(`DELETE FROM ${of.table} WHERE owner = ?`, owner);
  for (const body of bodies) createRecord(of, { ...writing, body, owner });
}
