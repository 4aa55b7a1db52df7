import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { isDesignatorList } from './column-facts.js';
import { roleNamed } from './column-names.js';

/** A source whose rows of designators alone continue the row above them, and a sentence about it. */
export interface WithWrapped {
  readonly source: ImportSource;
  readonly remark: string;
}

/** Joins designators that go on in further rows; undefined if there are none. */
export function joinDesignators(source: ImportSource, columns: readonly Column[]): WithWrapped | undefined {
  const column = columns.find(({ header, alone }) => alone.size > 0 && roleNamed(header) === 'refDes');
  if (column === undefined || source.wrapped !== undefined) return undefined;
  const texts = [...column.alone.keys()];
  if (!texts.every(isDesignatorList)) return undefined;
  const count = [...column.alone.values()].reduce((sum, times) => sum + times, 0);
  const rows = count === 1 ? '1 row' : `${count} rows`;
  return {
    source: { ...source, wrapped: [column.name] },
    remark: `${rows} with designators alone, such as ${JSON.stringify(texts[0])}, ${count === 1 ? 'continues the row' : 'continue the rows'} above (\`wrapped\`).`,
  };
}
