import type { Diagnostic } from '#base/diagnostics.js';
import { naturalOrder } from '#base/natural-order.js';
import { quoted } from '#base/printable.js';
import { shellWord } from '#base/shell-word.js';
import type { Catalog } from '#core/catalog.js';
import { liveFindings } from '#core/engine/live-findings.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import { dottedPath } from '#core/model/pointer.js';
import type { LiveSide } from '#project/live/live-side.js';
import type { RefusedField } from '#project/live/unwritable.js';
import { isChosen, type PromotionCriteria, type SourceObject } from './promoted-objects.js';

/** Finds live objects that cannot be promoted, and those that stay behind. */
export function sourceFindings(
  meant: readonly SourceObject[],
  side: LiveSide,
  kinds: readonly Kind[],
  choosing: PromotionCriteria,
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

/** Finds chosen objects that are missing in the source; they stay as they are in the target. */
function goneFindings(
  meant: ReadonlySet<Address>,
  { unlisted, environment, objects }: LiveSide,
  choosing: PromotionCriteria,
): Diagnostic[] {
  const missing = [...choosing.facts.keys()].filter((address) => !meant.has(address) && isChosen(address, choosing));
  return missing.sort(naturalOrder).map((address): Diagnostic => {
    const { kind, name } = splitAddress(address);
    const odd = (objects.get(kind) ?? []).find((one) => one.name === name)?.odd;
    if (odd !== undefined) {
      const message = `${address} is not promoted: its entry in environment "${environment}" ${odd.why}.`;
      return { severity: 'warning', code: 'answer-odd', message, hint: 'Correct it there.' };
    }
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

type HidingSide = Pick<LiveSide, 'hidden' | 'environment'>;

/** Warns of fields that the service of the source does not return, so that they are not promoted. */
export const hiddenFindings = (meant: readonly SourceObject[], side: HidingSide, catalog: Catalog): Diagnostic[] =>
  kindsOf(meant).flatMap((kind) =>
    hiddenFinding(kind, side.hidden(catalog.knownKind(kind)), side.environment, { done: 'promoted', hint: KEPT }),
  );

/** Warns of requested fields that the service of the target does not return, so that they are not compared. */
export const unseenFindings = (meant: readonly SourceObject[], side: HidingSide, catalog: Catalog): Diagnostic[] =>
  kindsOf(meant).flatMap((kind): Diagnostic[] => {
    const type = catalog.kindNamed(kind);
    if (type === undefined) return [];
    const asked = new Set(
      meant.flatMap(({ address, spec }) => (splitAddress(address).kind === kind ? Object.keys(spec) : [])),
    );
    const fields = side.hidden(type).filter((field) => asked.has(field));
    return hiddenFinding(kind, fields, side.environment, { done: 'compared', hint: 'Compare them manually.' });
  });

const kindsOf = (meant: readonly SourceObject[]): string[] =>
  [...new Set(meant.map(({ address }) => splitAddress(address).kind))].sort(naturalOrder);

function hiddenFinding(
  kind: string,
  fields: readonly string[],
  environment: string,
  { done, hint }: { readonly done: string; readonly hint: string },
): Diagnostic[] {
  if (fields.length === 0) return [];
  const message = `The service of environment "${environment}" does not return ${fields.join(', ')} of ${kind} objects, so they are not ${done}.`;
  return [{ severity: 'warning', code: 'field-hidden', message, hint }];
}

const KEPT = 'Objects that exist where they are promoted to keep what they have; new ones are manual steps.';

/** Warns of objects that the manifests describe for the source alone, or rename: they are not promoted. */
export const stayFindings = (
  addresses: Iterable<Address>,
  choosing: PromotionCriteria,
  environment: string,
): Diagnostic[] =>
  [...addresses]
    .filter((address) => choosing.staying.has(address) && isChosen(address, { ...choosing, staying: new Map() }))
    .sort(naturalOrder)
    .map((address) => {
      const name = choosing.staying.get(address);
      return name === undefined
        ? notForBoth(address, choosing, environment)
        : renamedFinding(address, name, environment);
    });

const notForBoth = (address: Address, { to }: PromotionCriteria, environment: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-for-environment',
  message: `${address} is not promoted: the manifests describe it for environment "${environment}" and not for "${to}".`,
  hint: 'Describe it for both in the manifests to promote it.',
});

const renamedFinding = (address: Address, name: string, environment: string): Diagnostic => ({
  severity: 'warning',
  code: 'not-renamed',
  message: `${address} is not promoted: the manifests rename it to ${quoted(name)}, and environment "${environment}" has the old name.`,
  hint: `Rename it there first: \`dexsync apply --env ${shellWord(environment)}\`.`,
});

/** Warns of an option that the service ignores. */
export const leftOutFinding = ({ field, message }: RefusedField): Diagnostic => ({
  severity: 'warning',
  code: 'field-left-out',
  message: `${dottedPath(field)} is not promoted: ${message}`,
});
