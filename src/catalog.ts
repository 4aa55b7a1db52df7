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

/** Everything that a manifest can name. A new kind, lookup or job is one line here. */
export interface Catalog {
  readonly kinds: readonly Kind[];
  readonly lookups: readonly Lookup[];
  readonly jobs: readonly Job[];
}

/** What this version of dexsync knows, in the order in which lists show it. */
export const catalog: Catalog = {
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

/** The kind that a manifest's `kind` names, spelt exactly so; undefined where there is none. */
export const kindNamed = (name: string): Kind | undefined => catalog.kinds.find((kind) => kind.name === name);

/** The lookup of a type that is only referred to, spelt exactly so; undefined where there is none. */
export const lookupNamed = (name: string): Lookup | undefined => catalog.lookups.find((lookup) => lookup.name === name);

/**
 * The kind or job that a manifest's `kind` names, whose `schema` says what stands in `spec`; undefined where there is
 * none.
 */
export const manifestTypeNamed = (name: string): Kind | Job | undefined =>
  kindNamed(name) ?? catalog.jobs.find((job) => job.name === name);

/**
 * The kind of a name that was checked before: of a plan, or of an address in it. Another name is a defect, not an
 * error of the user.
 */
export function knownKind(name: string): Kind {
  const kind = kindNamed(name);
  if (kind !== undefined) return kind;
  throw new Error(`There is no kind "${name}".`);
}
