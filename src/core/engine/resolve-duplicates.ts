import { shellWord } from '#base/shell-word.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { LiveIdentity } from '../model/object-fact.js';
import type { Capability, Observed } from '../model/observation.js';
import type { Write } from '../model/plan.js';
import type { Bound } from './bind.js';
import { block, type Deciding, type Decision, duplicatesMessage, numberAndMaker, recordSighting } from './decision.js';
import type { Match } from './live-under.js';
import { fingerprint } from './normal-form.js';
import { retiredName } from './retired-name.js';
import { pickUpdatable } from './update.js';

/** The longest time in milliseconds between a request and its repetition: no request waits longer for an answer. */
const LONGEST_APART = 120_000;

/** Whether an object may be a second result of one creation: equal as a whole, by the same user, at the same time. */
export function isCopy(made: Observed, other: Observed, kind: Kind): boolean {
  if (other.name !== made.name || other.identity === made.identity) return false;
  return isSameMoment(made.audit, other.audit) && isSameSpec(made, other, kind);
}

/** Whether an object is such a copy, and the service says who created both and when. */
export const isProvenCopy = (made: Observed, other: Observed, kind: Kind): boolean =>
  isCopy(made, other, kind) &&
  [made, other].every(({ audit = {} }) => audit.createdAt !== undefined && audit.createdBy !== undefined);

function isSameMoment(made: AuditRecord = {}, other: AuditRecord = {}): boolean {
  const apart = Math.abs(Date.parse(made.createdAt ?? '') - Date.parse(other.createdAt ?? ''));
  return made.createdBy === other.createdBy && !(apart > LONGEST_APART);
}

/** Compares specs without children: they are added to the object whose GUID was answered. A copy with any is in use. */
function isSameSpec(made: Observed, other: Observed, { schema, children }: Kind): boolean {
  const isChild = (field: string): boolean => field in children;
  const inUse = Object.entries(other.spec).some(([field, value]) => isChild(field) && !isEmpty(value));
  const own = ({ spec }: Observed): JsonObject =>
    Object.fromEntries(Object.entries(spec).filter(([field]) => !isChild(field)));
  return !inUse && fingerprint(schema, own(made)) === fingerprint(schema, own(other));
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The context in which several objects have the name of one that this stack created. */
export interface DuplicatesContext {
  readonly kind: Kind;
  readonly can: Capability;
  readonly deciding: Deciding;
  /** Whether the ledger knows a live object. */
  readonly isKnown: (identity: LiveIdentity) => boolean;
}

/**
 * Decides about other objects with the same name: a copy that one creation left beside the object of the ledger is
 * removed once someone agrees; about any other, nothing is known, so a person has to decide.
 */
export function resolveDuplicates(
  bound: Bound,
  live: Match,
  twins: readonly Observed[],
  settling: DuplicatesContext,
): Decision {
  const { kind, can, deciding, isKnown } = settling;
  const { manifest } = bound;
  const copy = twins.find((one) => isProvenCopy(live.raw, one, kind) && !isKnown(one.identity));
  if (copy === undefined) {
    const message = duplicatesMessage(manifest, [live.raw, ...twins]);
    return block(bound, kind.schema, { reason: 'twin', message });
  }
  const said = copiesText(live.raw, [copy]);
  const removal = removalOf(copy, live.among, can);
  const base = {
    ...({ address: manifest.address, reason: 'twin', fields: [], origin: manifest.origins.start } as const),
    ...recordSighting(copy, kind.schema),
  };
  if (removal === undefined) {
    const keep = `\`dexsync forget ${shellWord(manifest.address)}\` and \`dexsync adopt ${shellWord(manifest.address)} --number N\``;
    const message = `${said} The service can neither delete nor rename ${kind.name} objects: remove the copy manually, or accept both with ${keep}.`;
    return { ...base, action: 'manual', message, writes: [] };
  }
  const { action, write, what } = removal;
  if (deciding.copies === undefined) {
    const message = `${said} \`--remove-copies\` ${what}; so does \`dexsync apply\` at a terminal.`;
    return { ...base, action: 'blocked', wanted: action, message, writes: [] };
  }
  return { ...base, action, message: `${said} This ${what}.`, writes: [write], consent: deciding.copies };
}

/** Says how often a creation was applied, and which copies it left. */
export function copiesText(made: Observed, copies: readonly Observed[]): string {
  const { length: count } = copies;
  const others = copies.map(numberAndMaker).filter((text) => text !== '');
  const times = count === 1 ? 'twice' : `${count + 1} times`;
  const unused = count === 1 ? 'is an unused copy' : 'are unused copies';
  return `The service created "${made.name}" ${times} for one request. The ledger has one${inBrackets([numberAndMaker(made)])}; the other${count === 1 ? '' : 's'}${inBrackets(others)} ${unused}.`;
}

const inBrackets = (texts: readonly string[]): string => {
  const text = texts.join('; ');
  return text === '' ? '' : ` (${text})`;
};

interface Removal {
  readonly action: 'delete' | 'retire';
  readonly write: Write;
  /** Completes "this" in messages: `deletes the copy`. */
  readonly what: string;
}

/** Chooses how the service removes a copy; undefined if it cannot. */
function removalOf(copy: Observed, among: readonly Observed[], can: Capability): Removal | undefined {
  const { name, spec } = copy;
  if (can.delete) return { action: 'delete', write: { verb: 'delete', name }, what: 'deletes the copy' };
  if (!can.update.includes('name')) return undefined;
  const to = retiredName(name, copy, among);
  const write = { verb: 'retire', to, fields: pickUpdatable(spec, can) } as const;
  return { action: 'retire', write, what: `renames the copy to "${to}"` };
}
