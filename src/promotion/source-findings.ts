import type { Diagnostic } from '../diagnostics.js';
import { liveFindings } from '../engine/live-findings.js';
import type { LiveSide } from '../live/live-side.js';
import type { RefusedField } from '../live/unwritable.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Kind } from '../model/kind.js';
import { dottedPath } from '../model/pointer.js';
import { type Choosing, isChosen, type SourceObject } from './promoted-objects.js';

/** What keeps live objects from being promoted, and what stays behind. */
export function sourceFindings(
  meant: readonly SourceObject[],
  side: LiveSide,
  kinds: readonly Kind[],
  choosing: Choosing,
): Diagnostic[] {
  const addresses = new Set(meant.map(({ address }) => address));
  const { environment } = side;
  return [
    ...kinds.flatMap((kind) => {
      const objects = (side.objects.get(kind.name) ?? []).filter(({ name }) =>
        addresses.has(addressOf(kind.name, name)),
      );
      return [
        ...liveFindings(kind, objects, environment, 'error'),
        ...(kind.grow === undefined
          ? []
          : objects.map(({ name }) => madeOnce(addressOf(kind.name, name), environment))),
      ];
    }),
    ...goneFindings(addresses, side, choosing),
  ];
}

const madeOnce = (address: Address, environment: string): Diagnostic => ({
  severity: 'warning',
  code: 'made-once',
  message: `${address} is not promoted: what it holds was consumed in environment "${environment}".`,
  hint: 'Plan it from its manifest, or promote what was last applied with `--from-applied`.',
});

/** What the stack owns and is not to be found stays as it is where it is promoted to. */
function goneFindings(
  meant: ReadonlySet<Address>,
  { unlisted, environment }: LiveSide,
  choosing: Choosing,
): Diagnostic[] {
  const missing = [...choosing.facts.keys()].filter((address) => !meant.has(address) && isChosen(address, choosing));
  return missing.sort().map((address): Diagnostic => {
    const { kind } = splitAddress(address);
    if (unlisted.has(kind)) {
      const message = `${address} is not promoted: the service of environment "${environment}" does not list ${kind} objects.`;
      const hint = 'Promote what was last applied there with `--from-applied`.';
      return { severity: 'warning', code: 'kind-unlisted', message, hint };
    }
    const message = `${address} is not promoted: it was deleted or renamed in environment "${environment}".`;
    return {
      severity: 'warning',
      code: 'object-gone',
      message,
      hint: `\`dexsync drift --env ${environment}\` shows more.`,
    };
  });
}

/** What the manifests have for that environment alone is not for another one. */
export const stayFindings = (addresses: Iterable<Address>, choosing: Choosing, environment: string): Diagnostic[] =>
  [...addresses]
    .filter((address) => choosing.staying.has(address) && isChosen(address, { ...choosing, staying: new Set() }))
    .sort()
    .map((address) => ({
      severity: 'warning',
      code: 'not-for-environment',
      message: `${address} is not promoted: the manifests describe it for environment "${environment}" and not for "${choosing.to}".`,
      hint: 'Describe it for both in the manifests to promote it.',
    }));

/** What no manifest could ask for, such as an option that the service ignores. */
export const leftOutFinding = (address: Address, { field, message }: RefusedField): Diagnostic => ({
  severity: 'warning',
  code: 'field-left-out',
  message: `${dottedPath(field)} is not promoted: ${message.startsWith(address) ? message : `${address} ${message}`}`,
});
