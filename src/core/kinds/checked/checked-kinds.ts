import type { Kind } from '../../model/kind.js';
import { checkedAttributes } from './attributes.js';
import { checkedCategories } from './categories.js';
import { checkedSettings } from './settings.js';

/** All checked kinds, in the order of lists. */
export const checkedKinds: readonly Kind[] = [...checkedCategories, ...checkedAttributes, ...checkedSettings];
