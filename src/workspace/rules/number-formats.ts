import { insertNumberFormat, type NumberField, type NumberFormat, numberFormatList } from '../store/number-formats.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

/** A part of a format as it is made; the parts that are fixed by its type have defaults. */
export interface NumberFieldBody {
  readonly name: string;
  readonly type: NumberField['type'];
  readonly maxLength?: number;
  readonly value?: string;
  readonly possibleValues?: readonly { readonly value: string; readonly description?: string }[];
}

interface NumberFormatBody {
  readonly name: string;
  readonly fields: readonly NumberFieldBody[];
}

export const FORMAT_SEARCH = { name: 'text' } as const;

const SEQUENCE_LENGTH = 6;

export function listNumberFormats(workspace: Workspace, query: Query): NumberFormat[] {
  const search = parseWholeSearch(query, FORMAT_SEARCH);
  return selectPage(workspace.settings, numberFormatList, search);
}

export function findNumberFormat(workspace: Workspace, guid: string): NumberFormat {
  const format = isGuid(guid) && selectOne(workspace.settings, numberFormatList, { sql: 'guid = ?', values: [guid] });
  if (!format) throw refuse.guid(guid);
  return format;
}

/** Adds a format. Not part of the published interface. */
export function createNumberFormat(workspace: Workspace, body: NumberFormatBody): NumberFormat {
  const { name, fields } = body;
  if (name.trim() === '') throw refuse.empty('name');
  if (fields.length === 0) throw refuse.empty('fields');
  if (selectOne(workspace.settings, numberFormatList, { sql: 'name = ?', values: [name] })) {
    throw refuse.invalid('name', `a number format named "${name}" exists.`);
  }
  const guid = workspace.chance.guid();
  insertNumberFormat(workspace.settings, {
    guid,
    name,
    isDefault: false,
    fields: fields.map((field) => numberField(field, workspace.chance.guid())),
    taken: 0,
    created: zulu(workspace.clock()),
  });
  return findNumberFormat(workspace, guid);
}

export function numberField(body: NumberFieldBody, guid: string): NumberField {
  const { name, type, possibleValues = [] } = body;
  const value = type === 'AUTO_SEQUENCE' ? null : (body.value ?? possibleValues[0]?.value ?? '');
  const longest = Math.max(value?.length ?? 0, ...possibleValues.map((one) => one.value.length));
  return {
    apiName: guid,
    guid,
    maxLength: body.maxLength ?? (type === 'AUTO_SEQUENCE' ? SEQUENCE_LENGTH : longest),
    name,
    possibleValues: possibleValues.map((one) => ({ value: one.value, description: one.description ?? '' })),
    type,
    value,
  };
}

/** The sequence in a format, if it has one. */
export function sequenceOf({ fields }: NumberFormat): NumberField | undefined {
  return fields.find((field) => field.type === 'AUTO_SEQUENCE');
}

/** The number that a format makes of a value of its sequence, padded with zeros, and of the values of its other parts. */
export function numberFrom({ fields }: NumberFormat, position: number): string {
  return fields
    .map(({ type, maxLength, value }) => (type === 'AUTO_SEQUENCE' ? String(position).padStart(maxLength, '0') : value))
    .join('');
}
