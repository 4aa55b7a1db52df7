import { importJob } from './jobs/import.js';
import { bomSettings } from './kinds/bom-settings.js';
import { checkedKinds } from './kinds/checked/checked-kinds.js';
import { exportDefinition } from './kinds/export-definition.js';
import { extractDefinition } from './kinds/extract-definition.js';
import { importDefinition } from './kinds/import-definition.js';
import { numberReservation } from './kinds/number-reservation.js';
import { outboundIntegration } from './kinds/outbound-integration.js';
import { policy } from './kinds/policy.js';
import { supplier } from './kinds/supplier.js';
import { trainingPlan } from './kinds/training-plan.js';
import { trigger } from './kinds/trigger.js';
import { userGroup } from './kinds/user-group.js';
import { attribute } from './lookups/attribute.js';
import { category } from './lookups/category.js';
import { lifecyclePhase } from './lookups/lifecycle-phase.js';
import { numberFormat, numberFormatField } from './lookups/number-format.js';
import { routing } from './lookups/routing.js';
import { user } from './lookups/user.js';
import type { Job, Kind, Lookup } from './model/kind.js';

/** Everything that a manifest can name, and how a name is looked up there. One project has one catalog. */
export interface Catalog {
  /** The kinds whose objects dexsync writes. */
  readonly kinds: readonly Kind[];
  /** The kinds that are only compared. Commands about all kinds leave them out: each costs a list. */
  readonly checked: readonly Kind[];
  /** Settings that are read one by one, for commands that name them. */
  readonly settings: readonly Kind[];
  /** All of them: every kind that a manifest may have. */
  readonly allKinds: readonly Kind[];
  readonly lookups: readonly Lookup[];
  readonly jobs: readonly Job[];
  /** The kind, checked or not, with exactly this name; undefined if there is none. */
  readonly kindNamed: (name: string) => Kind | undefined;
  /** The lookup with exactly this name, for a type that is only referred to; undefined if there is none. */
  readonly lookupNamed: (name: string) => Lookup | undefined;
  /** The kind or job that a manifest's `kind` names, whose `schema` describes `spec`; undefined if there is none. */
  readonly manifestTypeNamed: (name: string) => Kind | Job | undefined;
  /**
   * The kind of a name that was checked before, from a plan or an address in it. An unknown name is a bug, not a user
   * error.
   */
  readonly knownKind: (name: string) => Kind;
  /** The schema of a manifest's spec. Callers pass only kinds of validated manifests, so it always exists. */
  readonly schemaOf: (kind: string) => object;
}

/** Everything that this version of dexsync knows, in the order of lists. A new kind, lookup or job is one line here. */
const BUILT_IN: Pick<Catalog, 'kinds' | 'checked' | 'settings' | 'lookups' | 'jobs'> = {
  kinds: [
    importDefinition,
    exportDefinition,
    extractDefinition,
    trigger,
    outboundIntegration,
    userGroup,
    policy,
    numberReservation,
    supplier,
    trainingPlan,
  ],
  checked: checkedKinds,
  settings: [bomSettings],
  lookups: [user, category, attribute, lifecyclePhase, numberFormat, numberFormatField, routing],
  jobs: [importJob],
};

/** Creates a catalog of the built-in types and a project's own kinds, which replace built-in ones of their name. */
export function catalogWith(own: readonly Kind[]): Catalog {
  const { checked, settings, lookups, jobs } = BUILT_IN;
  const replaced = new Set(own.map(({ name }) => name));
  const kinds = [...BUILT_IN.kinds.filter(({ name }) => !replaced.has(name)), ...own];
  const named = <T extends { readonly name: string }>(all: readonly T[]) => {
    const byName = new Map(all.map((one) => [one.name, one]));
    return (name: string): T | undefined => byName.get(name);
  };
  const allKinds = [...kinds, ...checked, ...settings];
  const kindNamed = named(allKinds);
  const manifestTypeNamed = named<Kind | Job>([...allKinds, ...jobs]);
  const knownKind = (name: string): Kind => {
    const kind = kindNamed(name);
    if (kind !== undefined) return kind;
    throw new Error(`There is no kind "${name}".`);
  };
  const schemaOf = (kind: string): object => manifestTypeNamed(kind)?.schema ?? {};
  const all = { kinds, checked, settings, allKinds, lookups, jobs };
  return { ...all, kindNamed, lookupNamed: named(lookups), manifestTypeNamed, knownKind, schemaOf };
}

/** The catalog used outside a project, or in one without kinds of its own. */
export const builtIn: Catalog = catalogWith([]);
