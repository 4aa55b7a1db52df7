import type { Column } from './column.js';
import { roleNamed } from './column-names.js';

/** The quantities of variants, such as those of "-01" and "-02", or "Qty (S)" and "Qty (M)"; none for a single one. */
export function findVariants(columns: readonly Column[]): readonly Column[] {
  const found = columns.filter(({ name, filled, numbers, type }) => {
    const [, base = ''] = /^(.+?)\s*[([]\w{1,6}[)\]]$/.exec(name) ?? [];
    const isOfQuantity = roleNamed(base) === 'quantity' && (type === 'integer' || numbers !== undefined);
    return filled > 0 && (isOfQuantity || /(?:^|\s)-\d{1,3}$/.test(name));
  });
  return found.length < 2 ? [] : found;
}
