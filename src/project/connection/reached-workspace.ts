import type { Plan } from '#core/model/plan.js';
import type { Client } from '#service/client.js';

/** A workspace that was reached and logged in to. */
export interface ReachedWorkspace {
  readonly environment: string;
  readonly client: Client;
  readonly workspace: Plan['workspace'];
  /** Where and as whom; no secret. */
  readonly login: { readonly url: string; readonly email: string };
}
