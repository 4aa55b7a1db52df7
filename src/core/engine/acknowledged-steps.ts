import type { Acknowledgement } from '../model/acknowledgement.js';
import type { Address } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { Kind } from '../model/kind.js';
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

/** Returns the fingerprint that an acknowledgement is about. References count as written, so nothing has to be read. */
export const acknowledgedFingerprint = ({ spec }: Pick<Manifest, 'spec'>, { schema }: Pick<Kind, 'schema'>): string =>
  fingerprint(schema, spec);

/** Finds manual steps that count as done: someone did what the manifest asks for, and the service cannot show it. */
export function acknowledgedSteps(
  decisions: readonly Decision[],
  bound: readonly Bound[],
  { deciding: { stack, replace }, acknowledged, kindNamed }: AcknowledgementInput,
): ReadonlyMap<Address, Acknowledgement> {
  if (acknowledged.size === 0) return new Map();
  const manifests = new Map(bound.map(({ manifest }) => [manifest.address, manifest]));
  const found = decisions.flatMap(({ address, reason, action }): [Address, Acknowledgement][] => {
    const manifest = manifests.get(address);
    const given = acknowledged.get(address);
    if (manifest === undefined || given === undefined || given.stack !== stack) return [];
    const isManual = action === 'manual' && reason === 'not-verifiable' && !replace.has(address);
    return isManual && given.fingerprint === acknowledgedFingerprint(manifest, kindNamed(manifest.kind))
      ? [[address, given]]
      : [];
  });
  return new Map(found);
}

/** Returns the notes that a plan shows instead of acknowledged steps. */
export const acknowledgedNotes = (acknowledged: ReadonlyMap<Address, Acknowledgement>): Note[] =>
  [...acknowledged].map(([address, acknowledgement]) => ({
    code: 'acknowledged',
    message: `${address} is ${acknowledgedText(acknowledgement)}`,
    addresses: [address],
    acknowledgement,
  }));

/** `done manually, as acknowledged by ann@example.com (ann) on 2026-11-22: CHG-7`. */
export const acknowledgedText = ({ by, at, reason }: Acknowledgement): string =>
  `done manually, as acknowledged by ${by} on ${at.slice(0, 10)}: ${reason}`;
