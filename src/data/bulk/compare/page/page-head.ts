import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { RowChange, RowCounts, RowsPreview } from '#core/model/rows-preview.js';

/** What the page says of the import beside its rows. */
export interface PageFacts {
  readonly address: string;
  readonly definition: string;
  readonly workspace: string;
  readonly environment: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** How many rows a page has, and how many it would need. */
export interface PageRoom {
  readonly rows: number;
  readonly changed: number;
  readonly unchanged: 'shown' | 'left out';
}

/** What the sections of the page are made of. */
export interface PageHead {
  readonly facts: PageFacts;
  readonly preview: RowsPreview;
  readonly counts: RowCounts;
  readonly definition: ImportDefinitionSpec;
  /** The file, with its worksheet. */
  readonly name: string;
  readonly room: PageRoom;
}

type Kind = RowChange['change'] | 'unchanged';

/** How rows of each kind are marked, which nobody has to tell by its colour. */
export const ROW_MARKS: Readonly<Record<Kind, string>> = {
  new: '+',
  changed: '~',
  removed: '-',
  gone: '?',
  refused: '✗',
  kept: '!',
  unchanged: '',
};

/** What rows of each kind are called. */
export const wordsOf = ({ notCompared }: RowCounts): Readonly<Record<Kind, string>> => ({
  new: 'new',
  changed: 'changed',
  removed: 'removed',
  gone: 'not in file',
  refused: 'refused',
  kept: 'left as it is',
  unchanged: notCompared === 0 ? 'unchanged' : 'no known change',
});
