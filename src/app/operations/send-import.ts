import type { GuardOptions } from '#core/engine/guards/guard.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import type { Job } from '#data/imports/job.js';
import type { Ask } from '#delivery/planfile/consent.js';
import { planOfImports } from '#delivery/planning/plan-of-imports.js';
import type { Seen } from '#delivery/planning/read-workspace.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { applyAgreed } from './apply.js';

/** Everything that plans one import outside the plan of a project. */
export interface SingleImportRequest {
  readonly stack: string;
  readonly guarding: GuardOptions;
  readonly seen: Seen;
  readonly recorded: CommandFacts;
  readonly imports?: 'whole' | 'sent';
  readonly confirm: Ask<Plan>;
}

/** Applies one import as a plan of one step, with a journal; returns undefined if nobody agreed. */
export function applyImport(
  job: Job,
  { stack, guarding, seen, recorded, imports = 'whole', confirm }: SingleImportRequest,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined> {
  const linked = { manifests: [job.manifest], edges: new Map() };
  const plan = planOfImports({ linked, bound: [], jobs: [job.facts], seen, stack, guarding }, connection, host);
  const ready = { plan, identities: seen.identities, jobs: [job], recorded, imports };
  // People agree with the service's own counts before them; nothing is compared with the workspace again.
  return applyAgreed(ready, { confirm, attended: false }, connection, host);
}
