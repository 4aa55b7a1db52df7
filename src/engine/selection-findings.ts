import type { Diagnostic, Origin } from '../diagnostics.js';
import { type Address, addressOf } from '../model/address.js';
import type { Reference } from './references.js';
import type { Patterns, Selection } from './selection.js';

/** The findings of a binding; those of references to nothing say so where a manifest would have made it and was left out. */
export function excludedFindings(
  diagnostics: readonly Diagnostic[],
  { linked, leftOut }: Selection,
  workspace: string,
): Diagnostic[] {
  const out = new Set(leftOut.map(({ address }) => address));
  if (out.size === 0 || !diagnostics.some(isUnknown)) return [...diagnostics];
  const places = new Map<string, [from: Address, to: Address]>();
  for (const { address, origins } of linked.manifests) {
    for (const { kind, name, pointer } of linked.external.get(address) as readonly Reference[]) {
      const target = addressOf(kind, name);
      if (out.has(target)) places.set(placeOf(origins.value(`/spec${pointer}`)), [address, target]);
    }
  }
  return diagnostics.map((diagnostic) => {
    const [from, to] = (isUnknown(diagnostic) && places.get(placeOf(diagnostic.origin))) || [];
    if (from === undefined) return diagnostic;
    const message = `${from} refers to ${to}, which --exclude leaves out of this plan and which is not in workspace "${workspace}".`;
    return { ...diagnostic, code: 'reference-excluded', message, hint: `Apply ${to} first, or do not exclude it.` };
  });
}

const isUnknown = ({ code }: Diagnostic): boolean => code === 'reference-unknown';

/** What several references share through an alias of YAML is one name. */
const placeOf = (origin: Origin | undefined): string => JSON.stringify(origin);

/** A prune that its patterns keep from all deletes says so: see `mayPrune`. */
export function pruneFindings({ only, exclude }: Patterns): Diagnostic[] {
  const byAddress = only.filter(({ by }) => by === 'address');
  const cause = exclude.find(({ by }) => by !== 'address') ?? (byAddress.length === 0 ? only[0] : undefined);
  if (cause === undefined) return [];
  const message = `--prune deletes nothing with the pattern "${cause.text}": an object that no manifest describes any more has no labels and no file.`;
  const hint = 'Name by kind or name what may be pruned, or leave that pattern out.';
  return [{ severity: 'warning', code: 'prune-narrowed', message, hint }];
}
