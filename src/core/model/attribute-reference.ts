import { deadReference, type Guid, looksLikeGuid } from './kind.js';
import { isDocumentedField } from './known-fields.js';

/**
 * Resolves a text on the wire to a custom attribute, where attributes are named by GUID: documented fields are not
 * attributes, then the listed ones count. Any other text in a GUID's form names a deleted attribute.
 */
export function referencedAttribute(text: string, listed: (guid: Guid) => string | undefined): string | undefined {
  if (isDocumentedField(text)) return undefined;
  return listed(text) ?? (looksLikeGuid(text) ? deadReference('attribute') : undefined);
}

/** Whether a text that a person wrote has a GUID's form and a digit, and is not a documented field. */
export const isLikelyGuid = (text: string): boolean =>
  looksLikeGuid(text) && /\d/.test(text) && !isDocumentedField(text);
