import type { Plan } from '#core/model/plan.js';
import type { Client } from '#service/client.js';

/** A workspace after the login. */
export interface ReachedWorkspace {
  readonly environment: string;
  readonly client: Client;
  readonly workspace: Plan['workspace'];
  /** The URL and the user of the login; no secrets. */
  readonly login: { readonly url: string; readonly email: string };
}
