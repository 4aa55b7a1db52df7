import type { Origin } from '#base/diagnostics.js';
import type { Address } from './address.js';
import type { JobState } from './job-state.js';
import type { Json } from './json.js';
import type { ImportFacts } from './partial-imports.js';
import type { ImportRequest, Range } from './plan.js';
import type { RowsPreview } from './rows-preview.js';

/** What planning knows of one import: its content as a key, what became of that key, and what it will cost. */
export interface JobFacts {
  readonly address: Address;
  /** Digest of normalised rows, definition content and run options. */
  readonly key: string;
  /** Rows that are sent. */
  readonly rows: number;
  /** Rows of the file that are not sent, since the workspace has what they say. */
  readonly unsent?: number;
  /** Rows of the source beyond these, which were added to others. */
  readonly repeated?: number;
  /** Where the rows are what another file no longer has: how many records that file had with them. */
  readonly missingOf?: number;
  /** How messages call the source: file and worksheet. */
  readonly source: string;
  readonly definition: Address;
  /** What its definition does with rows, in upper case: `DELETE` and `REPLACE` destroy. Absent where it says nothing. */
  readonly mode?: string;
  readonly when: 'changed' | 'always';
  /** Asked for once more, although the content was settled before. */
  readonly again?: 'asked';
  /** `never`: a validated run is the end of it, until a person commits. */
  readonly commits: 'by rule' | 'never';
  readonly rule: Json;
  /** Jobs whose records its rows refer to. */
  readonly needs: readonly Address[];
  readonly state?: JobState;
  /** Its state was found in the workspace; the ledger has no entry of it. */
  readonly found?: 'in workspace';
  /** As many rows were committed before, and what they were cannot be read any more: by which run, and when. */
  readonly unclear?: { readonly runs: string; readonly at: string };
  /** Certain failures found before any request, and whether commit rule and `failOn` let the findings pass. */
  readonly findings: { readonly errors: number; readonly accepted: 'yes' | 'no' };
  /** What its rows change, where they were compared. */
  readonly preview?: RowsPreview;
  readonly requests: Range;
  readonly request: ImportRequest;
  /** What the ledger records beside each of its states. */
  readonly sent: ImportFacts;
  readonly origin: Origin;
}
