import type { Origin } from '../diagnostics.js';
import type { Address } from './address.js';
import type { AuditRecord } from './audit-record.js';
import type { GuardFinding } from './guards.js';
import type { OpenRuns, Validated } from './job-state.js';
import type { Json, JsonObject } from './json.js';
import type { Identity, ObjectFact } from './object-fact.js';

/** What a step does to its object. `blocked` and `manual` steps send nothing; they are named so that nobody misses them. */
export type Action =
  | 'create'
  | 'update'
  | 'replace'
  | 'delete'
  /** Renamed away, where the service deletes none of its kind. */
  | 'retire'
  | 'rename'
  | 'adopt'
  /** The ledger drops what is gone from the workspace or given up. */
  | 'forget'
  | 'import'
  | 'manual'
  | 'blocked';

/** Why a step is there, for programs. People read the step's `message`. */
export type Reason =
  | 'absent'
  | 'differs'
  | 'not-updatable'
  | 'dead-reference'
  | 'renamed'
  | 'not-imported'
  | 'always'
  | 'reviewed'
  | 'unfinished'
  | 'ambiguous'
  | 'twin'
  | 'protected'
  | 'not-supported'
  | 'rejected-before'
  | 'imported-before'
  | 'findings'
  | 'dependency-blocked'
  | 'guarded'
  | 'refused-by-rule'
  | 'not-verifiable'
  | 'grown'
  | 'asked'
  | 'made-once'
  | 'not-owned'
  | 'other-stack'
  | 'protection'
  | 'renamed-outside'
  | 'replaced-outside'
  | 'not-described'
  | 'still-referenced'
  | 'gone';

/** One field of one object. `before` is absent where the workspace has nothing, `after` where the field goes away. */
export interface FieldChange {
  /** Dotted, entries of lists in brackets: `options.mapping[ITEM_SPECS name].sourceName`. */
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
  /** Who differs from what was last applied: the manifest, the workspace, or both. Absent where nothing was applied. */
  readonly cause?: 'asked' | 'drift' | 'both';
  /** What was last applied, where it is neither `before` nor `after`. */
  readonly applied?: Json;
}

/**
 * One write request that a step makes. Specs hold names, never GUIDs: a write may refer to an object that an
 * earlier step creates.
 */
export type Write =
  /** `name` is given where it is not the address's. */
  | { readonly verb: 'create'; readonly spec: JsonObject; readonly name?: string }
  /** `fields` are sent; where `readFirst`, the values that no manifest names are read just before and sent with them. */
  | { readonly verb: 'update'; readonly name: string; readonly fields: JsonObject; readonly readFirst: 'yes' | 'no' }
  /** Renames the old object away; `fields` are the values that travel with its name. */
  | { readonly verb: 'retire'; readonly to: string; readonly fields: JsonObject }
  /** Deletes the object of that name. */
  | { readonly verb: 'delete'; readonly name: string }
  | { readonly verb: 'addChild'; readonly field: string; readonly name: string }
  | { readonly verb: 'removeChild'; readonly field: string; readonly name: string }
  /** Changes nothing but the ledger. */
  | { readonly verb: 'record' }
  | {
      readonly verb: 'import';
      readonly key: string;
      readonly rows: number;
      readonly request: ImportRequest;
      readonly resume?: OpenRunsSeen;
      /** The workspace has these rows by runs that the ledger does not know: nothing is sent, the ledger learns of them. */
      readonly done?: 'before';
    };

/** What an import asks for, in full: whoever applies a saved plan reads the file again by it, and no manifest. */
export interface ImportRequest {
  /** Where the file is, from the folder of the configuration. */
  readonly path: string;
  /** Where its physical files are, a folder or a pattern, from the same folder. */
  readonly files?: string;
  /** The manifest's spec. */
  readonly spec: JsonObject;
  /** The definition as it is once the plan was applied, and the part of it that decides whether rows are the same. */
  readonly definition: { readonly spec: JsonObject; readonly content: JsonObject };
}

/** Runs that were left open, as a plan names them; their GUIDs stand in the ledger alone. */
export interface OpenRunsSeen {
  /** Digest of the GUIDs. */
  readonly run: Identity;
  /** Each by its own, with its rows, so that whoever has another ledger finds them too. */
  readonly parts?: readonly { readonly run: Identity; readonly first: number; readonly last: number }[];
  /** The service's number of the first one. */
  readonly number?: number;
  readonly phase: OpenRuns['state'];
  /** What a validation for review came to; applying the plan commits these very runs. */
  readonly validated?: Validated;
}

/** One object's difference and the writes that settle it, in order. */
export interface Step {
  readonly address: Address;
  readonly action: Action;
  readonly reason: Reason;
  /** The reason in words, with names and numbers. */
  readonly message: string;
  readonly fields: readonly FieldChange[];
  readonly writes: readonly Write[];
  /** Steps that must have succeeded before this one starts. */
  readonly dependsOn: readonly Address[];
  /** Digest of what was observed, or `absent`; for an import its key. */
  readonly fingerprint: string;
  /** The object's present name where it is not the address's (a rename). */
  readonly liveName?: string;
  /** What was seen of the object, and which one it was; absent where there was none. */
  readonly observed?: JsonObject;
  readonly identity?: Identity;
  readonly audit?: AuditRecord;
  /** What the ledger says of the object once the step is done: `null` nothing any more, absent as before. */
  readonly fact?: ObjectFact | null;
  /** The address by which the ledger knows the object until now; it forgets that one once the step is done. */
  readonly formerly?: Address;
  /** Of a step that takes an object over: whether that was agreed to when the plan was made, or is asked when it is applied. */
  readonly consent?: 'given' | 'asked';
  /** Of a blocked step: what it would have done. */
  readonly wanted?: Action;
  /** Where the manifest asks for it. */
  readonly origin: Origin;
}

export type SummaryKey = Action | 'unchanged';

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Patterns as they were given, and what is planned since something that they chose refers to it. */
export interface PlanSelection {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly closure: readonly Address[];
}

export interface Note {
  readonly code: 'left-over' | 'not-owned' | 'looks-renamed' | 'consent-needed';
  readonly message: string;
  readonly addresses: readonly Address[];
}

/** The ordered steps from the workspace as it is to the manifests, as data: printed, saved, applied, never changed. */
export interface Plan {
  readonly format: 'dexsync-plan/1';
  readonly stack: string;
  readonly environment: string;
  /** `identity` is the key of the ledger: service host and workspace id, or the embedded database's own. */
  readonly workspace: { readonly id: string; readonly name: string; readonly identity: string };
  /** Digest of the manifests that the plan was made from. */
  readonly manifests: string;
  readonly nonce: string;
  readonly createdAt: string;
  /** What the plan was narrowed to; absent where it is about all manifests. */
  readonly selection?: PlanSelection;
  readonly summary: Readonly<Record<SummaryKey, number>>;
  readonly steps: readonly Step[];
  /** What guards and rules found: what they block, and what they only say. */
  readonly guards: readonly GuardFinding[];
  /** Manifests without a step whose objects are told apart from those of another by their being described. */
  readonly apart?: readonly Address[];
  /** What a reader should know beside the steps. */
  readonly notes: readonly Note[];
  /** Requests that planning used, that an apply will take, and that are left today where the service tells. */
  readonly requests: { readonly used: number; readonly apply: Range; readonly remaining: number | null };
}

/** What is taken over only where whoever applies the plan agrees. */
export const takenOverUnasked = (steps: readonly Step[]): Address[] =>
  steps.filter(({ consent, writes }) => consent === 'asked' && writes.length > 0).map(({ address }) => address);

/** Whether there is anything to carry out, and so to confirm. */
export const hasWrites = ({ steps }: Plan): boolean => steps.some(({ writes }) => writes.length > 0);
