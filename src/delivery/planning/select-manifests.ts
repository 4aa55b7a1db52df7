import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '#core/catalog.js';
import type { Linked } from '#core/engine/link.js';
import {
  matchesAddress,
  mayPrune,
  narrowToPatterns,
  type Pattern,
  patternsWithoutMatch,
  type Selection,
} from '#core/engine/selection.js';
import { type Address, splitAddress } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { ProjectOptions } from '#project/host.js';
import { parsePatterns } from './parse-pattern.js';
import { isPruning, type PlanningOptions } from './planning-options.js';

/**
 * Selects the manifests to plan, before any request. A pattern that matches nothing is an error; if the plan prunes, it
 * may also match objects that only the ledger knows, which `checkAgainstLedger` decides.
 */
export function selectManifests(
  linked: Linked,
  options: PlanningOptions & Pick<ProjectOptions, 'files'>,
  catalog: Catalog,
): Selection {
  if (options.files !== undefined && isPruning(options)) throw notAll();
  const selection = narrowToPatterns(linked, parsePatterns(options, catalog), catalog.schemaOf);
  if (!isPruning(options)) check(selection, []);
  return selection;
}

/** Checks the patterns of a plan that prunes; `owned` has the addresses that the stack owns by its ledger. */
export function checkAgainstLedger(selection: Selection, options: PlanningOptions, owned: readonly Address[]): void {
  if (isPruning(options)) check(selection, owned);
}

/** Refuses `-f` for a plan that prunes: objects of other files would count as undescribed. */
const notAll = (): DexsyncError =>
  new DexsyncError('USAGE', '`--prune` needs all manifests of the stack, but `-f` gives only some.', {
    hint: 'Leave out `-f` and select with `--only`. Add generated manifests to `manifests:` in the configuration.',
  });

function check(selection: Selection, owned: readonly Address[]): void {
  const { patterns, linked, leftOut, record } = selection;
  const manifests = [...linked.manifests, ...leftOut];
  const given = [
    ...patterns.only.map((pattern) => ({ option: '--only', pattern })),
    ...patterns.exclude.map((pattern) => ({ option: '--exclude', pattern })),
  ];
  const missing = new Set(
    patternsWithoutMatch([...patterns.only, ...patterns.exclude], manifests).filter(
      (pattern) => !owned.some((address) => matchesAddress(pattern, address)),
    ),
  );
  const [first] = given.filter(({ pattern }) => missing.has(pattern));
  if (first !== undefined) throw matchesNothing(first.option, first.pattern, manifests, owned);
  const nothing = record !== undefined && linked.manifests.length === 0;
  if (nothing && !owned.some((address) => mayPrune(selection, address))) {
    throw new DexsyncError('USAGE', 'Nothing is selected: `--exclude` leaves out everything.', {
      hint: 'Exclude fewer manifests, or select more with `--only`.',
    });
  }
}

function matchesNothing(
  option: string,
  pattern: Pattern,
  manifests: readonly Manifest[],
  owned: readonly Address[],
): DexsyncError {
  const [wanted, known] = candidates(pattern, manifests, owned);
  return new DexsyncError('USAGE', `\`${option}\` "${pattern.text}" matches no manifest.`, {
    hint: nearestHint(wanted, [...new Set(known)]) ?? 'A pattern must match the whole text; `*` matches any text.',
  });
}

/** Returns the text of the pattern, and the texts that it could have matched. */
function candidates(
  pattern: Pattern,
  manifests: readonly Manifest[],
  owned: readonly Address[],
): [wanted: string, known: string[]] {
  switch (pattern.by) {
    case 'address': {
      const all = [...manifests.map(({ address }) => address), ...owned].map(splitAddress);
      const named = all.filter(({ kind }) => pattern.kinds.includes(kind)).map(({ name }) => name);
      return named.length > 0 ? [pattern.name, named] : [pattern.text, all.map(({ kind }) => kind)];
    }
    case 'label': {
      const labels = manifests.flatMap(({ metadata }) => Object.entries(metadata.labels ?? {}));
      const values = labels.filter(([key]) => key === pattern.key).map(([, value]) => value);
      return values.length > 0 ? [pattern.value, values] : [pattern.key, labels.map(([key]) => key)];
    }
    case 'file':
      return [pattern.file, manifests.map(({ origins }) => origins.start.file)];
  }
}
