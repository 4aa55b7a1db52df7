import type { ImportSource } from '#core/jobs/source.js';
import { matchingShare, type Roles } from './column.js';
import { LEFT_OUT, withoutValues } from './draft.js';
import type { WithoutTitles } from './exclude-titles.js';
import type { Meaning } from './meanings.js';

const NUMBERS: readonly Meaning[] = ['number', 'mpn', 'supplierPartNumber'];

/** Eight words or more, or fewer that announce what follows; a number may begin with a code that words explain. */
const SENTENCE = /^[^\d\s]+(?:\s+\S+){7}|^[^\d\s]+(?:\s+\S+){2,}:$/;

/** Leaves out rows with a sentence in place of a number: such rows are remarks. */
export function excludeSentences(source: ImportSource, roles: Roles): WithoutTitles {
  for (const role of NUMBERS) {
    const column = roles.get(role);
    const found = [...(column?.values?.keys() ?? [])].filter((value) => SENTENCE.test(value));
    if (column === undefined || found.length === 0 || matchingShare(column, /^\S+$/) < 0.5) continue;
    const shown = found.map((value) => JSON.stringify(value)).join(', ');
    const rows = found.length === 1 ? '1 row that is a remark' : `${found.length} rows that are remarks`;
    return {
      source: withoutValues(source, column.name, found),
      remark: `${LEFT_OUT}${rows}, with ${shown} in "${column.name}".`,
    };
  }
  return { source };
}
