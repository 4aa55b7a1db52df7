import type { Connection } from './connection.js';

/** Where a command works, as people recognise it: asked about before each write that needs a yes. */
export interface Place {
  readonly environment: string;
  readonly url: string;
  /** Its name. */
  readonly workspace: string;
}

/** The place of a connection. */
export const placeOf = ({ environment, login, workspace }: Connection): Place => ({
  environment,
  url: login.url,
  workspace: workspace.name,
});
