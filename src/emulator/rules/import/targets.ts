import type { Dialect } from '../../dialects/dialect.js';
import type { Attribute, FieldType } from '../../store/item-settings.js';
import type { StandardField } from '../standard-field.js';

/** The target of a column: a standard field or a custom attribute. */
export interface Target {
  /** The apiName of a standard field, the GUID of a custom attribute. */
  readonly key: string;
  readonly label: string;
  readonly custom: boolean;
  readonly fieldType: FieldType;
  readonly required: boolean;
  readonly multiSelect: boolean;
  readonly maxLength: number | null;
  readonly possibleValues: readonly string[];
  readonly positive: boolean;
  readonly readOnly: boolean;
  /** The category that the attribute belongs to; null if every category has it. */
  readonly category: string | null;
}

/** The targets of one resource, by the names in mappings, and by the headers that match without a mapping. */
export interface Targets {
  readonly all: readonly Target[];
  readonly byApiName: ReadonlyMap<string, Target>;
  readonly byHeader: ReadonlyMap<string, Target>;
}

/**
 * Indexes targets by names in lower case. Among targets with one name, an apiName has priority over a header, and the
 * header of a standard field over that of a custom attribute.
 */
export function indexTargets(
  fields: readonly StandardField[],
  attributes: readonly Attribute[],
  dialect: Dialect,
): Targets {
  const standard = fields.map(standardTarget);
  const custom = attributes.filter((attribute) => attribute.custom).map(customTarget);
  const customName = (target: Target): string => (dialect.customAttributes === 'name' ? target.label : target.key);
  const apiNames = [...standard.map(keyed((t) => t.key)), ...custom.map(keyed(customName))];
  const headers = [
    ...custom.map(keyed((target) => target.label)),
    ...fields.map((field, index) => [field.name.toLowerCase(), standard[index]] as const),
  ].filter((entry): entry is readonly [string, Target] => entry[1] !== undefined);
  return { all: [...standard, ...custom], byApiName: new Map(apiNames), byHeader: new Map([...headers, ...apiNames]) };
}

function keyed(name: (target: Target) => string): (target: Target) => readonly [string, Target] {
  return (target) => [name(target).toLowerCase(), target];
}

function standardTarget(field: StandardField): Target {
  return {
    key: field.apiName,
    label: field.apiName,
    custom: false,
    fieldType: field.fieldType,
    required: field.required ?? false,
    multiSelect: false,
    maxLength: field.maxLength ?? null,
    possibleValues: field.possibleValues ?? [],
    positive: field.positive ?? false,
    readOnly: field.readOnly ?? false,
    category: null,
  };
}

/** The target that a custom attribute is. */
export function customTarget(attribute: Attribute): Target {
  const { guid, name, fieldType, required, multiSelect, maxLength, possibleValues, category } = attribute;
  return {
    key: guid,
    label: name,
    custom: true,
    fieldType,
    required,
    multiSelect,
    maxLength,
    possibleValues,
    positive: false,
    readOnly: false,
    category,
  };
}
