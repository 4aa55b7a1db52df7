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
  /** Set only by the service (interface 7: the country of origin). */
  readonly readOnly?: true;
  /** Refers to another object, so it is not listed as an attribute of its own. */
  readonly reference?: true;
}
