import { type DocumentStore, plansShelf } from '#ledger/document-store.js';
import { environmentPlace } from '../config/environment.js';
import type { Config } from '../config/load-config.js';
import type { Host, ProjectOptions } from '../host.js';
import { openConfig } from '../project.js';
import { withBackend } from './backend-of.js';

/** The saved plans that the ledger keeps for a stack in an environment. */
export interface EnvironmentPlans {
  readonly config: Config;
  readonly environment: string;
  readonly plans: DocumentStore;
}

/** Opens the saved plans of the chosen environment. Needs no login and sends no request. */
export async function withPlans<T>(
  options: Pick<ProjectOptions, 'config' | 'environment'>,
  host: Host,
  use: (found: EnvironmentPlans) => Promise<T>,
): Promise<T> {
  const config = await openConfig(options, host);
  const { name: environment } = environmentPlace(config, options.environment, host.variables);
  return withBackend(config, environment, host, (backend) =>
    use({ config, environment, plans: backend.documents(plansShelf(config.stack, environment)) }),
  );
}
