import { importJob } from './jobs/import.js';
import { exportDefinition } from './kinds/export-definition.js';
import { extractDefinition } from './kinds/extract-definition.js';
import { importDefinition } from './kinds/import-definition.js';
import { numberReservation } from './kinds/number-reservation.js';
import { outboundIntegration } from './kinds/outbound-integration.js';
import { policy } from './kinds/policy.js';
import { trigger } from './kinds/trigger.js';
import { userGroup } from './kinds/user-group.js';
import { attribute } from './lookups/attribute.js';
import { category } from './lookups/category.js';
import { lifecyclePhase } from './lookups/lifecycle-phase.js';
import { numberFormat, numberFormatField } from './lookups/number-format.js';
import { user } from './lookups/user.js';
import type { Job, Kind, Lookup } from './model/kind.js';

/** Everything that a manifest can name, and how a name is looked up there. One project has one catalog. */
export interface Catalog {
  readonly kinds: readonly Kind[];
  readonly lookups: readonly Lookup[];
  readonly jobs: readonly Job[];
  /** The kind of this name, spelt exactly so; undefined where there is none. */
  readonly kindNamed: (name: string) => Kind | undefined;
  /** The lookup of a type that is only referred to, spelt exactly so; undefined where there is none. */
  readonly lookupNamed: (name: string) => Lookup | undefined;
  /** The kind or job that a manifest's `kind` names, whose `schema` says what stands in `spec`; undefined where there is none. */
  readonly manifestTypeNamed: (name: string) => Kind | Job | undefined;
  /**
   * The kind of a name that was checked before: of a plan, or of an address in it. Another name is a defect, not an
   * error of the user.
   */
  readonly knownKind: (name: string) => Kind;
  /** The schema of a manifest's spec. Only validated manifests are asked for, so it is always there. */
  readonly schemaOf: (kind: string) => object;
}

/** What this version of dexsync knows, in the order in which lists show it. A new kind, lookup or job is one line here. */
const BUILT_IN: Pick<Catalog, 'kinds' | 'lookups' | 'jobs'> = {
  kinds: [
    importDefinition,
    exportDefinition,
    extractDefinition,
    trigger,
    outboundIntegration,
    userGroup,
    policy,
    numberReservation,
  ],
  lookups: [user, category, attribute, lifecyclePhase, numberFormat, numberFormatField],
  jobs: [importJob],
};

/** What is built in, and the kinds that a project brings along. */
export function catalogWith(own: readonly Kind[]): Catalog {
  const { lookups, jobs } = BUILT_IN;
  const kinds = [...BUILT_IN.kinds, ...own];
  const named = <T extends { readonly name: string }>(all: readonly T[]) => {
    const byName = new Map(all.map((one) => [one.name, one]));
    return (name: string): T | undefined => byName.get(name);
  };
  const kindNamed = named(kinds);
  const manifestTypeNamed = named<Kind | Job>([...kinds, ...jobs]);
  const knownKind = (name: string): Kind => {
    const kind = kindNamed(name);
    if (kind !== undefined) return kind;
    throw new Error(`There is no kind "${name}".`);
  };
  const schemaOf = (kind: string): object => manifestTypeNamed(kind)?.schema ?? {};
  return { kinds, lookups, jobs, kindNamed, lookupNamed: named(lookups), manifestTypeNamed, knownKind, schemaOf };
}

/** The catalog of what belongs to no project, or to one without kinds of its own. */
export const builtIn: Catalog = catalogWith([]);
