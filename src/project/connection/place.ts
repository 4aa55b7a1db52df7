import type { Connection } from './connection.js';

/** The place where a command works, as people recognise it: shown before each write that needs consent. */
export interface Place {
  readonly environment: string;
  readonly url: string;
  /** The name of the workspace. */
  readonly workspace: string;
}

/** The place of a connection. */
export const connectionPlace = ({ environment, login, workspace }: Connection): Place => ({
  environment,
  url: login.url,
  workspace: workspace.name,
});
