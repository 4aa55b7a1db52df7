import { resourceNamed, sharedIn } from '#core/model/import-resources.js';
import { isContentSent } from '../archive/row-files.js';
import { type RowIdentity, recordFinder } from '../compare/find-records.js';
import type { KeptRow } from '../compare/keyed-rows.js';
import { rowReader } from '../compare/row-difference.js';
import { type Target, targetsOf } from '../compare/targets.js';
import { normalValue, readingOf, type ValueForm } from '../compare/value-form.js';
import { removeMarker, rowFieldsOf } from '../preflight/row-fields.js';
import type { SharedBefore } from '../read-back/before-image.js';
import type { IsPutBack } from './shared-put-back.js';
import { namingCells, type Undoing } from './undoing.js';

/** What the three sides have of one record. */
export interface RecordSides {
  readonly identity: RowIdentity;
  /** What the rows of the import asked for, as one row. */
  readonly cells: readonly string[];
  readonly before: readonly KeptRow[];
  readonly was: 'there' | 'absent' | 'unknown';
  /** Whether the object that the record shares with others was there before. */
  readonly shared: SharedBefore;
  readonly isPutBack: IsPutBack;
  readonly present: readonly KeptRow[];
}

/** What undoing the records of one import goes by. */
export type RecordContext = ReturnType<typeof recordContext>;

/** What the definition of an import says of its rows. */
export function recordContext({
  sent: { columns },
  definition,
  content,
}: Pick<Undoing, 'sent' | 'definition' | 'content'>) {
  const reading = readingOf(definition);
  const marker = removeMarker(definition);
  const targets = targetsOf(columns, definition.resource);
  const { after } = rowReader(targets, definition);
  const resource = resourceNamed(definition.resource);
  const fields = rowFieldsOf(columns, definition);
  const { files: rules } = resource;
  const isCreating = definition.mode.toUpperCase() === 'CREATE';
  return {
    ...{ columns, targets, marker, after, resource },
    /** What a row that names its record writes to it, and not to what the record shares with others. */
    isOwn: ({ field, is }: Target): boolean => is === undefined && sharedIn(resource, field) === undefined,
    /** What of a row is about a record that is there. */
    isRead: ({ is }: Target): boolean => is === undefined,
    /** Whether a row sent content for a file that was there. */
    hasContent: (cells: readonly string[]): boolean =>
      content === 'sent' && !isCreating && rules !== undefined && isContentSent(cells, { fields, rules, definition }),
    isSame: (form: ValueForm, one: string, other: string): boolean =>
      normalValue(form, one, reading) === normalValue(form, other, reading),
    naming: (identity: RowIdentity): string[] | undefined => namingCells(identity, columns, resource),
  };
}

/** The finder of the rows of all sides. */
export const finderOf = ({ sent: { columns }, definition }: Pick<Undoing, 'sent' | 'definition'>) =>
  recordFinder(columns, definition);
