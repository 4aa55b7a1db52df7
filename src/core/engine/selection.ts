import type { Diagnostic, Origin } from '#base/diagnostics.js';
import { naturalOrder } from '#base/natural-order.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import { isCheckedKind } from '../model/checked-kinds.js';
import type { Manifest } from '../model/document.js';
import type { Plan } from '../model/plan.js';
import { directNeeds, type Edges } from './graph.js';
import { type Linked, link } from './link.js';
import { kindsReferredTo, type Reference } from './references.js';
import { matchesPattern } from './wildcard.js';

/** One `--only` or `--exclude` pattern; `text` is the pattern as given. */
export type Pattern =
  | { readonly by: 'address'; readonly text: string; readonly kinds: readonly string[]; readonly name: string }
  | { readonly by: 'label'; readonly text: string; readonly key: string; readonly value: string }
  | { readonly by: 'file'; readonly text: string; readonly file: string };

/** All `--only` and `--exclude` patterns of one command. */
export interface Patterns {
  /** Empty: everything is selected. */
  readonly only: readonly Pattern[];
  readonly exclude: readonly Pattern[];
}

/** The part of a project that one plan is about. */
export interface Selection {
  readonly patterns: Patterns;
  /** The manifests that are compared, linked among themselves; `linked.described` has the addresses of all. */
  readonly linked: Linked;
  /** Manifests that this plan neither compares nor touches. */
  readonly leftOut: readonly Manifest[];
  /** Addresses that any manifest, selected or not, describes or renames, and those that a left-out one refers to. */
  readonly claimed: ReadonlySet<Address>;
  /** The selection as the plan records it; absent if everything is selected. */
  readonly record?: NonNullable<Plan['selection']>;
  /** The source of the specs, if it is not the manifests; nothing is left over then. */
  readonly promoted?: NonNullable<Plan['promoted']>;
}

/** Selects the manifests that a plan is about. Without patterns these are all, as they are linked already. */
export function narrowToPatterns(whole: Linked, patterns: Patterns, schemaOf: (kind: string) => object): Selection {
  const { only, exclude } = patterns;
  const claims = whole.manifests.flatMap(claimedAddresses);
  if (only.length + exclude.length === 0) {
    return { patterns, linked: whole, leftOut: [], claimed: new Set(claims) };
  }
  const { chosen, closure } = select(whole.manifests, whole.edges, patterns);
  const meant = new Set([...chosen, ...closure]);
  const planned = whole.manifests.filter(({ address }) => meant.has(address));
  const leftOut = whole.manifests.filter(({ address }) => !meant.has(address));
  const referred = leftOut.flatMap(({ address }) => targetsOf(whole.external.get(address) ?? []));
  return {
    patterns,
    linked: link(planned, schemaOf, whole.manifests),
    leftOut,
    claimed: new Set([...claims, ...referred]),
    record: { only: patternTexts(only), exclude: patternTexts(exclude), closure },
  };
}

/** Returns the addresses that a manifest describes or renames. */
export const claimedAddresses = ({ address, kind, metadata: { renamedFrom } }: Manifest): Address[] =>
  renamedFrom === undefined ? [address] : [address, addressOf(kind, renamedFrom)];

const targetsOf = (references: readonly Reference[]): Address[] =>
  references.map(({ kind, name }) => addressOf(kind, name));

/** Returns patterns as they were given. */
export const patternTexts = (patterns: readonly Pattern[]): string[] => patterns.map(({ text }) => text);

/** The manifests that patterns select. */
export interface Selected {
  readonly chosen: ReadonlySet<Address>;
  /** Addresses, sorted by name, that chosen ones need, directly or not, and that no pattern chose. */
  readonly closure: readonly Address[];
}

/** Applies patterns. Exclusions win: an excluded manifest is not planned for others either, nor what only it needs. */
export function select(manifests: readonly Manifest[], edges: Edges, { only, exclude }: Patterns): Selected {
  const excluded = new Set(
    manifests.filter((one) => exclude.some((pattern) => matchesManifest(pattern, one))).map(({ address }) => address),
  );
  const chosen = new Set(
    manifests
      .filter((one) => only.length === 0 || only.some((pattern) => matchesManifest(pattern, one)))
      .map(({ address }) => address)
      .filter((address) => !excluded.has(address)),
  );
  const meant = new Set(chosen);
  for (const address of meant) {
    for (const needed of directNeeds(address, edges)) if (!excluded.has(needed)) meant.add(needed);
  }
  return { chosen, closure: [...meant].filter((address) => !chosen.has(address)).sort(naturalOrder) };
}

/** Returns patterns that match no manifest. */
export const patternsWithoutMatch = (patterns: readonly Pattern[], manifests: readonly Manifest[]): Pattern[] =>
  patterns.filter((pattern) => !manifests.some((manifest) => matchesManifest(pattern, manifest)));

/** Whether a pattern matches a manifest. */
export function matchesManifest(pattern: Pattern, { address, metadata, origins }: Manifest): boolean {
  switch (pattern.by) {
    case 'address':
      return matchesAddress(pattern, address);
    case 'label': {
      const { labels = {} } = metadata;
      return Object.hasOwn(labels, pattern.key) && matchesPattern(pattern.value, String(labels[pattern.key]));
    }
    case 'file':
      return matchesPattern(pattern.file, origins.start.file);
  }
}

/** Whether a pattern matches an object by its address. Only manifests have labels and files, objects do not. */
export function matchesAddress(pattern: Pattern, address: Address): boolean {
  if (pattern.by !== 'address') return false;
  const { kind, name } = splitAddress(address);
  return pattern.kinds.includes(kind) && matchesPattern(pattern.name, name);
}

/**
 * The kinds whose lists a pattern of addresses asks for. One that begins with a wildcard means all objects that dexsync
 * writes: the lists of checked kinds are read only if somebody names them.
 */
export const kindsNamed = ({ text, kinds }: Extract<Pattern, { by: 'address' }>): readonly string[] =>
  /^[*?]/.test(text) ? kinds.filter((kind) => !isCheckedKind(kind)) : kinds;

/**
 * Whether a prune under this selection may delete an object of this stack. Objects that a manifest claims, selected or
 * not, are never deleted. A selection only narrows: with `--only`, an object must be named by kind or name. With an
 * `--exclude` by label or file nothing is deleted, since nobody knows whether it means an object whose manifest is
 * gone.
 */
export function mayPrune({ claimed, patterns: { only, exclude } }: Selection, address: Address): boolean {
  if (claimed.has(address)) return false;
  if (only.length > 0 && !only.some((pattern) => matchesAddress(pattern, address))) return false;
  return !exclude.some((pattern) => pattern.by !== 'address' || matchesAddress(pattern, address));
}

/** Returns the manifests whose objects may refer to any of these: they are read before one is deleted. */
export function mayReferTo(
  addresses: readonly Address[],
  manifests: readonly Manifest[],
  schemaOf: (kind: string) => object,
): Manifest[] {
  const kinds = addresses.map((address) => splitAddress(address).kind);
  return manifests.filter((manifest) => {
    const referred = kindsReferredTo(schemaOf(manifest.kind));
    return kinds.some((kind) => referred.has(kind));
  });
}

/** Rewords unknown references in the findings of a binding, if a manifest that was left out has their target. */
export function excludedFindings(
  diagnostics: readonly Diagnostic[],
  { linked, leftOut }: Selection,
  environment: string,
): Diagnostic[] {
  const out = new Set(leftOut.map(({ address }) => address));
  if (out.size === 0 || !diagnostics.some(isUnknown)) return [...diagnostics];
  const places = new Map<string, [from: Address, to: Address]>();
  for (const { address, origins } of linked.manifests) {
    for (const { kind, name, pointer } of linked.external.get(address) ?? []) {
      const target = addressOf(kind, name);
      if (out.has(target)) places.set(originKey(origins.value(`/spec${pointer}`)), [address, target]);
    }
  }
  return diagnostics.map((diagnostic) => {
    const [from, to] = (isUnknown(diagnostic) && places.get(originKey(diagnostic.origin))) || [];
    if (from === undefined) return diagnostic;
    const message = `${from} refers to ${to}, which \`--exclude\` leaves out of this plan and which is not in environment "${environment}".`;
    return { ...diagnostic, code: 'reference-excluded', message, hint: `Apply ${to} first, or do not exclude it.` };
  });
}

const isUnknown = ({ code }: Diagnostic): boolean => code === 'reference-unknown';

/** Identifies a reference by its origin: references that share a YAML alias are one name. */
const originKey = (origin: Origin | undefined): string => JSON.stringify(origin);

/** Warns if the patterns keep a prune from all deletions: see `mayPrune`. */
export function pruneFindings({ only, exclude }: Patterns): Diagnostic[] {
  const byAddress = only.filter(({ by }) => by === 'address');
  const cause = exclude.find(({ by }) => by !== 'address') ?? (byAddress.length === 0 ? only[0] : undefined);
  if (cause === undefined) return [];
  const message = `\`--prune\` cannot use the pattern "${cause.text}": an object that is no longer in any manifest has no labels and no file.`;
  const hint = 'Select the objects to prune by kind or name, or leave that pattern out.';
  return [{ severity: 'warning', code: 'prune-narrowed', message, hint }];
}
