import type { Diagnostic } from '#base/diagnostics.js';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import type { Deciding } from '#core/engine/decision.js';
import type { Facts } from '#core/engine/find-live.js';
import { link } from '#core/engine/link.js';
import { makePlan, type PlanInput } from '#core/engine/plan.js';
import { settleUnansweredWrites } from '#core/engine/settle-unanswered-writes.js';
import { assemble } from '#core/manifest/assemble.js';
import { validateManifests } from '#core/manifest/validate.js';
import type { Acknowledgement } from '#core/model/acknowledgement.js';
import { type Address, addressOf } from '#core/model/address.js';
import { type Document, type Manifest, originsAt } from '#core/model/document.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Json, JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability, Observation } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';

export const STACK = 's';

/** The input of a plan besides manifests and workspace. */
export interface Options {
  readonly adopt?: Deciding['adopt'];
  readonly copies?: Deciding['copies'];
  readonly manage?: Deciding['manage'];
  readonly prune?: 'yes' | 'no' | 'all';
  readonly replace?: readonly string[];
  /** What the selection of a command lets be deleted. */
  readonly mayDelete?: (address: Address) => boolean;
}

export interface Planning extends Options, Pick<PlanInput, 'partial' | 'undone'> {
  readonly jobs?: readonly JobFacts[];
  readonly manifests: readonly Manifest[];
  readonly observation: Observation;
  readonly facts: Facts;
  readonly acknowledged?: ReadonlyMap<Address, Acknowledgement>;
  readonly capabilityOf: (kind: Kind) => Capability;
}

export interface Planned {
  readonly plan: Plan;
  readonly input: PlanInput;
  /** Findings for which a command would end before it planned. */
  readonly findings: readonly Diagnostic[];
}

const NOTHING: Capability = { list: false, create: false, update: [], updateBody: 'full', delete: false };
const kindNamed = (name: string): Kind => builtIn.kindNamed(name) as Kind;
const schemaOf = (kind: string): object => builtIn.manifestTypeNamed(kind)?.schema ?? {};

/** The pure stages from manifests to the plan, as the commands put them together. */
export function planned(planning: Planning): Planned {
  const {
    manifests,
    observation,
    facts: known,
    capabilityOf,
    adopt = 'ask',
    copies,
    replace = [],
    mayDelete = () => true,
  } = planning;
  const linked = link(manifests, schemaOf);
  const facts = settleUnansweredWrites(known, observation, kindNamed);
  const { bound, diagnostics } = bind(manifests, observation, schemaOf, 'dev', facts, linked.described);
  const input: PlanInput = {
    deciding: {
      ...{ stack: STACK, adopt, replace: new Set(replace), manage: planning.manage },
      ...(copies === undefined ? {} : { copies }),
    },
    observation,
    facts,
    ...(planning.acknowledged === undefined ? {} : { acknowledged: planning.acknowledged }),
    ...(planning.partial === undefined ? {} : { partial: planning.partial }),
    ...(planning.undone === undefined ? {} : { undone: planning.undone }),
    prune: {
      is: planning.prune ?? 'no',
      described: new Set(manifests.flatMap(claimsOf)),
      mayDelete,
    },
    environment: 'e',
    workspace: { id: '1', name: 'dev', identity: 'test/1' },
    manifests,
    edges: linked.edges,
    bound,
    jobs: planning.jobs ?? [],
    kindNamed,
    capabilityOf: (kind) => (observation.unlisted.has(kind.name) ? NOTHING : capabilityOf(kind)),
    requests: { used: 0, remaining: null },
    nonce: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  return { plan: makePlan(input), input, findings: [...linked.diagnostics, ...diagnostics] };
}

/** Addresses that a manifest describes or adopts under a new name. */
export const claimsOf = ({ address, kind, metadata: { renamedFrom } }: Manifest): Address[] =>
  renamedFrom === undefined ? [address] : [address, addressOf(kind, renamedFrom)];

/** A manifest as data. */
export interface Described {
  readonly kind: string;
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

/** Manifests as the loader hands them on, and what is wrong with them. */
export function manifestsOf(described: readonly Described[]): {
  manifests: readonly Manifest[];
  findings: readonly Diagnostic[];
} {
  const validated = validateManifests(described.map(documentOf), builtIn);
  const assembled = assemble(validated.manifests);
  const findings = [...validated.diagnostics, ...assembled.diagnostics];
  return { manifests: assembled.manifests, findings: findings.filter(({ severity }) => severity === 'error') };
}

function documentOf({ kind, metadata, spec }: Described): Document {
  const origin = { file: `${kind}-${String(metadata.name)}.yaml`, line: 1, column: 1, layer: 'base' } as const;
  const value: Json = { apiVersion: 'dexsync/v1', kind, metadata, spec };
  return { value, origins: originsAt(origin) };
}
