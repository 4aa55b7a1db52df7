import type { Json } from '../model/json.js';

/**
 * Whether failed rows can be sent without the good ones. Under REPLACE the lines of a BOM are all that its parent is to have
 * (wire-facts, section 4): a file of the failed ones alone would remove those that were committed.
 */
export const canBeSentAlone = ({ resource, mode }: { readonly resource?: Json; readonly mode?: Json }): 'yes' | 'no' =>
  String(resource).toUpperCase() === 'ITEM_BOM' && String(mode).toUpperCase() === 'REPLACE' ? 'no' : 'yes';
