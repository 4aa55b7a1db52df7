import type { Origin } from '#base/diagnostics.js';
import type { Address } from './address.js';
import type { JobState } from './job-state.js';
import type { Json } from './json.js';
import type { ImportFacts } from './partial-imports.js';
import type { ImportRequest, Range } from './plan.js';
import type { RowsPreview } from './rows-preview.js';

/** Facts for planning one import: the key of its content, the state of that key, and its cost. */
export interface JobFacts {
  readonly address: Address;
  /** Digest of normalised rows, definition content and run options. */
  readonly key: string;
  /** Rows that are sent. */
  readonly rows: number;
  /** Rows of the file that are not sent, since the workspace already has their values. */
  readonly unsent?: number;
  /** Why it is unknown which of its rows to send: they were not compared with the workspace. */
  readonly uncompared?: string;
  /** Further rows of the source, which were added to other rows. */
  readonly repeated?: number;
  /** Files that become new editions of those with the same numbers (wire-facts 4, `fileEdition`). */
  readonly editions?: number;
  /** If the rows are those missing from another file: the number of records that file had with them. */
  readonly missingOf?: number;
  /** The name of the source in messages: file and worksheet. */
  readonly source: string;
  readonly definition: Address;
  /** The mode of its definition, in upper case: `DELETE` and `REPLACE` destroy records. Absent if it has none. */
  readonly mode?: string;
  /** The type of its records, such as `items`, if dexsync knows it. */
  readonly records?: string;
  readonly when: 'changed' | 'always';
  /** Why it is sent again, although its content was already settled. */
  readonly again?: 'asked' | 'values lost';
  /** Attributes that were deleted since it was committed, and whose names others have. */
  readonly emptied?: readonly string[];
  /** `never`: the import ends with a validated run, until a person commits it. */
  readonly commits: 'by rule' | 'never';
  readonly rule: Json;
  /** Jobs whose records its rows refer to. */
  readonly needs: readonly Address[];
  readonly state?: JobState;
  /** Set if its state was found in the workspace, and the ledger has no entry of it. */
  readonly found?: 'in workspace';
  /** An earlier commit of as many rows, whose content can no longer be read: its runs and its time. */
  readonly unclear?: { readonly runs: string; readonly at: string };
  /** Certain failures found before any request, and whether commit rule and `failOn` let the findings pass. */
  readonly findings: { readonly errors: number; readonly accepted: 'yes' | 'no' };
  /** The changes that its rows make, if they were compared. */
  readonly preview?: RowsPreview;
  readonly requests: Range;
  readonly request: ImportRequest;
  /** The facts that the ledger records with each of its states. */
  readonly sent: ImportFacts;
  readonly origin: Origin;
}
