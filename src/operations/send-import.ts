import type { CommandFacts } from '../connection/command-facts.js';
import type { Connection } from '../connection/connection.js';
import type { Guarding } from '../engine/guards/guard.js';
import type { Host } from '../host.js';
import type { Job } from '../imports/job.js';
import type { Manifest } from '../model/document.js';
import type { Plan } from '../model/plan.js';
import type { Ask } from '../planfile/consent.js';
import { planOfImports } from '../planning/plan-of-imports.js';
import type { Seen } from '../planning/read-workspace.js';
import type { Summary } from '../stream/event.js';
import { applyAgreed } from './apply.js';

/** What one import is planned with, outside the plan of a project. */
export interface SendingImport {
  readonly stack: string;
  readonly guarding: Guarding;
  readonly manifest: Manifest;
  readonly seen: Seen;
  readonly recorded: CommandFacts;
  readonly imports?: 'whole' | 'sent';
  readonly confirm: Ask<Plan>;
}

/** Carries out one import as a plan of one step, with a journal like every other; undefined where nobody agreed. */
export function applyImport(
  job: Job,
  { stack, guarding, manifest, seen, recorded, imports = 'whole', confirm }: SendingImport,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined> {
  const linked = { manifests: [manifest], edges: new Map() };
  const plan = planOfImports({ linked, bound: [], jobs: [job.facts], seen, stack, guarding }, connection, host);
  const ready = { plan, identities: seen.identities, jobs: [job], recorded, imports };
  // Whoever agrees has the service's own counts before them; nothing of it is compared with the workspace again.
  return applyAgreed(ready, { confirm, attended: 'no' }, connection, host);
}
