import type { Acknowledgement } from '../model/acknowledgement.js';
import { type Address, splitAddress } from '../model/address.js';
import { isCheckedKind } from '../model/checked-kinds.js';
import type { Manifest } from '../model/document.js';
import { isChecked, type Kind } from '../model/kind.js';
import type { Note } from '../model/plan.js';
import type { Bound } from './bind.js';
import type { Deciding, Decision } from './decision.js';
import { fingerprint } from './normal-form.js';

/** Inputs that decide whether a manual step counts as done. */
export interface AcknowledgementInput {
  readonly deciding: Pick<Deciding, 'stack' | 'replace'>;
  readonly acknowledged: ReadonlyMap<Address, Acknowledgement>;
  readonly kindNamed: (name: string) => Kind;
}

/**
 * Returns the fingerprint that an acknowledgement is about: of the manifest, whose references count as written, and for
 * a checked kind also of the object as it was `seen`.
 */
export function acknowledgedFingerprint({ spec }: Pick<Manifest, 'spec'>, kind: Kind, seen: string): string {
  const own = fingerprint(kind.schema, spec);
  return isChecked(kind) ? `${own} ${seen}` : own;
}

/** Finds manual steps that count as done: someone did what the manifest asks for, and the service cannot show it. */
export function acknowledgedSteps(
  decisions: readonly Decision[],
  bound: readonly Bound[],
  { deciding: { stack, replace }, acknowledged, kindNamed }: AcknowledgementInput,
): ReadonlyMap<Address, Acknowledgement> {
  if (acknowledged.size === 0) return new Map();
  const manifests = new Map(bound.map(({ manifest }) => [manifest.address, manifest]));
  const found = decisions.flatMap(({ address, reason, action, fingerprint: seen }): [Address, Acknowledgement][] => {
    const manifest = manifests.get(address);
    const given = acknowledged.get(address);
    if (manifest === undefined || given === undefined || given.stack !== stack) return [];
    const kind = kindNamed(manifest.kind);
    const isSeen = reason === 'not-verifiable' || isChecked(kind);
    const isManual = action === 'manual' && isSeen && !replace.has(address);
    return isManual && given.fingerprint === acknowledgedFingerprint(manifest, kind, seen) ? [[address, given]] : [];
  });
  return new Map(found);
}

/** Returns the notes that a plan shows instead of acknowledged steps. */
export const acknowledgedNotes = (acknowledged: ReadonlyMap<Address, Acknowledgement>): Note[] =>
  [...acknowledged].map(([address, acknowledgement]) => ({
    code: 'acknowledged',
    message: isCheckedKind(splitAddress(address).kind)
      ? `${address} is not as its manifest says, which ${acceptedText(acknowledgement)}`
      : `${address} is ${acknowledgedText(acknowledgement)}`,
    addresses: [address],
    acknowledgement,
  }));

/** `done manually, as acknowledged by ann@example.com (ann) on 2026-11-22: CHG-7`. */
export const acknowledgedText = ({ by, at, reason }: Acknowledgement): string =>
  `done manually, as acknowledged by ${by} on ${at.slice(0, 10)}: ${reason}`;

const acceptedText = ({ by, at, reason }: Acknowledgement): string => `${by} accepted on ${at.slice(0, 10)}: ${reason}`;
