import type { FieldType } from '../store/item-settings.js';

/** A field that every object of a world has; the data behind the standard attributes and the targets of mappings. */
export interface StandardField {
  readonly apiName: string;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly required?: true;
  readonly maxLength?: number;
  readonly possibleValues?: readonly string[];
  /** A number that may not be negative. */
  readonly positive?: true;
  /** The service alone sets it (interface 7: the country of origin). */
  readonly readOnly?: true;
  /** Names another object, so it is no attribute of its own in the lists of attributes. */
  readonly reference?: true;
}
