/** A look for drift that somebody asked for on the page, in the memory of the server. */
export interface DriftLook {
  readonly by: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** What came of it; undefined while it lasts. */
  readonly ended?: { readonly drifted: number } | { readonly error: string };
}
