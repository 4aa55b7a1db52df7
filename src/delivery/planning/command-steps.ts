import { COMMAND_LINE } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { shellWord } from '#base/shell-word.js';
import { numberAndMaker, recordSighting } from '#core/engine/decision.js';
import { withBase } from '#core/engine/field-base.js';
import { digest } from '#core/engine/normal-form.js';
import { importJob } from '#core/jobs/import.js';
import { numberReservation } from '#core/kinds/number-reservation.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import { isCheckedKind } from '#core/model/checked-kinds.js';
import type { Manifest } from '#core/model/document.js';
import { type JsonObject, textsIn } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Capability, Observed } from '#core/model/observation.js';
import type { PartialImport } from '#core/model/partial-imports.js';
import type { Step } from '#core/model/plan.js';
import type { LedgerState } from '#ledger/fold.js';
import type { LiveObject } from '#project/live/live-objects.js';

/** The part of a live object that its adoption needs. */
type Adoptable = Pick<LiveObject, 'name' | 'spec' | 'identity' | 'record' | 'number'>;

/** What a step has that sends nothing and changes no field. */
const RECORD_ONLY: Pick<Step, 'fields' | 'writes' | 'dependsOn'> = {
  fields: [],
  writes: [{ verb: 'record' }],
  dependsOn: [],
};

/** Adopts a live object into this stack; the ledger then has its present state as applied. */
export function adoptStep(
  kind: Kind,
  can: Pick<Capability, 'hidden'>,
  object: Adoptable,
  manifest: Manifest | undefined,
  stack: string,
): Step {
  const address = addressOf(kind.name, object.name);
  const { spec, identity, record: audit } = object;
  const protect = manifest?.metadata.protect ?? false;
  const fact = withBase(kind, can, { stack, how: 'adopted', applied: spec, protect, identity }, { seen: spec });
  const who = numberAndMaker({ ...object, audit });
  return {
    address,
    action: 'adopt',
    reason: 'asked',
    message: `This stack becomes its owner${who === '' ? '' : ` (${who})`}; nothing is sent.`,
    ...RECORD_ONLY,
    ...recordSighting({ ...object, audit }, kind.schema),
    fact,
    origin: manifest?.origins.start ?? COMMAND_LINE,
  };
}

/**
 * Records what a pull has written into a manifest, so that it no longer counts as a change by others. The address is
 * the one by which the ledger knows the object until a rename is applied.
 */
export const pulledStep = (
  { address, origins }: Pick<Manifest, 'address' | 'origins'>,
  object: Observed,
  schema: object,
  fact: ObjectFact,
): Step => ({
  address,
  action: 'update',
  reason: 'pulled',
  message: 'Its manifest has the present values now; nothing is sent.',
  ...RECORD_ONLY,
  ...recordSighting(object, schema),
  fact,
  origin: origins.start,
});

/** Records that a manual step of a manifest was done. */
export const acknowledgeStep = (
  { address, origins }: Pick<Manifest, 'address' | 'origins'>,
  acknowledgement: Acknowledgement,
): Step => ({
  address,
  action: 'acknowledge',
  reason: 'asked',
  message: isCheckedKind(splitAddress(address).kind)
    ? 'How it differs is accepted until its manifest or the object itself changes; nothing is sent.'
    : 'It was done manually, and counts as done until its manifest changes; nothing is sent.',
  ...RECORD_ONLY,
  fingerprint: acknowledgement.fingerprint,
  acknowledgement,
  origin: origins.start,
});

/** Records that the missing rows of an import are accepted, for this content only. */
export const acknowledgeImportStep = (
  { address, key, job: { rows }, committed }: PartialImport,
  said: Omit<Acknowledgement, 'fingerprint'>,
): Step => ({
  address,
  action: 'acknowledge',
  reason: 'asked',
  message: `${rows - committed} of ${rows} rows stay out of the workspace; plans no longer report them. Nothing is sent.`,
  ...RECORD_ONLY,
  fingerprint: key,
  acknowledgement: { ...said, fingerprint: key },
  origin: COMMAND_LINE,
});

/**
 * Gives up an object, or withdraws its acknowledgement: it stays unchanged in the workspace. Throws NOT_OWNED if the
 * ledger has neither for this stack. An object whose rename was interrupted is given up under both names.
 */
export function forgetStep(address: Address, state: LedgerState, stack: string, environment: string): Step {
  const known = state.objects.get(address) ?? state.acknowledged.get(address);
  if (known === undefined) throw notOwned(address, state, stack, environment);
  if (known.stack !== stack) throw ownedByAnother(address, known.stack, stack);
  return {
    address,
    action: 'forget',
    reason: 'asked',
    message: forgetMessage(address, known),
    ...RECORD_ONLY,
    fingerprint: 'absent',
    fact: null,
    ...omitUndefined({ formerly: otherAddress(address, state) }),
    origin: COMMAND_LINE,
  };
}

/** Finds the other name by which the ledger knows an object whose rename was interrupted. */
function otherAddress(address: Address, { objects }: LedgerState): Address | undefined {
  const identity = objects.get(address)?.identity;
  if (identity === undefined) return undefined;
  return [...objects].find(([other, fact]) => other !== address && fact.identity === identity)?.[0];
}

function forgetMessage(address: Address, known: ObjectFact | Acknowledgement): string {
  if ('how' in known)
    return `This stack ${known.how === 'created' ? 'created' : 'adopted'} it and gives up ownership; it stays unchanged in the workspace.`;
  return splitAddress(address).kind === importJob.name
    ? 'Its missing rows are no longer accepted; plans report them again.'
    : 'Its manual step no longer counts as done; it stays unchanged in the workspace.';
}

function notOwned(
  address: Address,
  { objects, acknowledged }: LedgerState,
  stack: string,
  environment: string,
): DexsyncError {
  const own = [...objects, ...acknowledged].filter(([, fact]) => fact.stack === stack).map(([known]) => known);
  return new DexsyncError(
    'NOT_OWNED',
    `The stack "${stack}" does not own ${address} in environment "${environment}".`,
    {
      hint: own.length === 0 ? 'The stack owns nothing there.' : nearestHint(address, own),
    },
  );
}

const ownedByAnother = (address: Address, owner: string, stack: string): DexsyncError =>
  new DexsyncError('NOT_OWNED', `${address} belongs to the stack "${owner}", not to "${stack}".`, {
    hint: `Run \`dexsync forget\` in the project of "${owner}", or adopt it with \`dexsync adopt ${shellWord(address)} --from ${owner}\`.`,
  });

/** Deletes the parts of a number reservation, with all of their numbers. */
export function releaseStep(name: string, parts: readonly JsonObject[]): Step {
  const numbers = parts.flatMap(({ itemNumbers }) => textsIn(itemNumbers));
  return {
    address: addressOf(numberReservation.name, name),
    action: 'delete',
    reason: 'asked',
    message: `${numbers.length} ${numbers.length === 1 ? 'number is' : 'numbers are'} released and immediately available to others.`,
    fields: numbers.map((number) => ({ path: `itemNumbers[${number}]`, before: number })),
    writes: parts.map((part) => ({ verb: 'delete', name: String(part.name) })),
    dependsOn: [],
    fingerprint: digest(numbers),
    fact: null,
    origin: COMMAND_LINE,
  };
}
