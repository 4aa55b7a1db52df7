import { deadReference, type Guid, looksLikeGuid } from './kind.js';
import { isDocumentedField } from './known-fields.js';

/**
 * The custom attribute behind a text of the wire, where GUIDs stand for attributes: documented fields are none, then those
 * that are listed. What has a GUID's form and is neither stood for one that was deleted.
 */
export function attributeMeant(text: string, listed: (guid: Guid) => string | undefined): string | undefined {
  if (isDocumentedField(text)) return undefined;
  return listed(text) ?? (isLikelyGuid(text) ? deadReference('attribute') : undefined);
}

/** Whether a text that is no documented field has a GUID's form, and is no word of letters alone. */
export const isLikelyGuid = (text: string): boolean =>
  looksLikeGuid(text) && /\d/.test(text) && !isDocumentedField(text);
