import type { RowKind } from '#base/pages/browser/sheet-changes.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { RowCounts, RowsPreview } from '#core/model/rows-preview.js';

/** Facts about the import on the page, besides its rows. */
export interface PageFacts {
  readonly address: string;
  readonly definition: string;
  readonly workspace: string;
  readonly environment: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}

/** Number of rows that a page has, and that it would need. */
export interface PageRoom {
  readonly rows: number;
  readonly changed: number;
  readonly unchanged: 'shown' | 'left out';
}

/** Input of the sections of the page. */
export interface PageHead {
  readonly facts: PageFacts;
  readonly preview: RowsPreview;
  readonly counts: RowCounts;
  readonly definition: ImportDefinitionSpec;
  /** The file, with its worksheet. */
  readonly name: string;
  readonly room: PageRoom;
}

/** Mark of each kind of row, so that nobody depends on its colour. */
export const ROW_MARKS: Readonly<Record<RowKind, string>> = {
  new: '+',
  changed: '~',
  removed: '-',
  gone: '?',
  refused: '✗',
  kept: '!',
  unchanged: '',
};

/** Label of each kind of row. */
export const rowLabels = ({ notCompared }: RowCounts): Readonly<Record<RowKind, string>> => ({
  new: 'new',
  changed: 'changed',
  removed: 'removed',
  gone: 'not in file',
  refused: 'refused',
  kept: 'left as it is',
  unchanged: notCompared === 0 ? 'unchanged' : 'no known change',
});
