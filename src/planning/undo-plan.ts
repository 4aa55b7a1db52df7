import type { Connection } from '../connection/connection.js';
import { COMMAND_LINE } from '../diagnostics.js';
import type { Bound } from '../engine/bind.js';
import type { Guarding } from '../engine/guards/guard.js';
import type { Linked } from '../engine/link.js';
import { makePlan } from '../engine/plan.js';
import type { Host } from '../host.js';
import type { Address } from '../model/address.js';
import type { JobFacts } from '../model/job-facts.js';
import type { Plan, Step } from '../model/plan.js';
import type { RowChange } from '../model/rows-preview.js';
import { capabilityOf } from '../service/collection.js';
import type { Seen } from './read-workspace.js';

/** What stays as it is of an import that is undone. */
export interface NotUndone {
  readonly address: Address;
  readonly count: number;
  readonly first: readonly RowChange[];
  /** How messages call the import, and the file that lists all. */
  readonly called: string;
  readonly file: string;
  /** The key of the import. */
  readonly key: string;
  readonly by: string;
}

/** What the plan of an undo is made from. */
export interface UndoPlanInput {
  readonly linked: Linked;
  readonly bound: readonly Bound[];
  readonly jobs: readonly JobFacts[];
  readonly notUndone?: NotUndone;
  readonly seen: Seen;
  readonly stack: string;
  readonly guarding: Guarding;
}

/** The imports that undo another one as a plan like every other, with the definitions that they lack. */
export function undoPlan(
  input: UndoPlanInput,
  { client, workspace, environment, catalog }: Connection,
  host: Host,
): Plan {
  const { linked, bound, jobs, notUndone, seen, stack, guarding } = input;
  const plan = makePlan({
    ...{ environment, workspace, bound, jobs, guarding, observation: seen.observation, facts: new Map() },
    deciding: { stack, adopt: 'never', replace: new Set() },
    prune: { is: 'no', described: new Set(), mayDelete: () => 'no' },
    manifests: linked.manifests,
    edges: linked.edges,
    kindNamed: catalog.knownKind,
    capabilityOf: (kind) => capabilityOf(client, kind, seen.observation),
    requests: { used: client.usage.used, remaining: client.usage.remaining },
    nonce: host.nonce(),
    createdAt: host.clock().toISOString(),
  });
  const steps = plan.steps.map(ofNobody);
  if (notUndone === undefined) return { ...plan, steps };
  const summary = { ...plan.summary, blocked: plan.summary.blocked + 1 };
  return { ...plan, steps: [...steps, notUndoneStep(notUndone)], summary };
}

/** No manifest describes the definition of an undo: if it were the stack's own, pruning would retire it. */
function ofNobody({ fact: _, ...step }: Step): Step {
  return step;
}

function notUndoneStep({ address, count, first, called, file, key, by }: NotUndone): Step {
  const rows = count === 1 ? '1 row' : `${count} rows`;
  const counts = { new: 0, changed: 0, cells: 0, unchanged: 0, removed: 0, gone: 0, refused: 0, notCompared: 0 };
  return {
    ...{ address, action: 'blocked', reason: 'not-undone', fields: [], writes: [], dependsOn: [], fingerprint: key },
    message: `${rows} of ${called} cannot be undone, or not wholly; ${file} lists all of them.`,
    preview: { with: 'workspace', by, requests: 0, counts: { ...counts, kept: count }, rows: [...first] },
    origin: COMMAND_LINE,
  };
}
