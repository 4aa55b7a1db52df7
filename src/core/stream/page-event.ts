/** What people do with the page that `serve` serves, for those who have to answer for it. */
export type PageEvent =
  | { readonly is: 'login'; readonly by: string; readonly roles: readonly PageRole[]; readonly from: string }
  | { readonly is: 'login-refused'; readonly by?: string; readonly from: string; readonly message: string }
  | { readonly is: 'logout'; readonly by: string }
  /** `error`: why it was not done. */
  | ({ readonly is: 'action'; readonly by: string; readonly reason?: string; readonly error?: string } & PageAction);

/** The roles of people on the page: all may view; `data`: cells of rows too; `operate`: actions; `review`: verdicts by a click. */
export const PAGE_ROLES = ['view', 'data', 'operate', 'review'] as const;

/** One of `PAGE_ROLES`. */
export type PageRole = (typeof PAGE_ROLES)[number];

/** Something that a person does on the page, and to which environment, rollout, plan or import. */
export interface PageAction {
  readonly action: 'look-for-drift' | 'pause' | 'stop' | 'review' | 'fetch-report' | 'download-rows';
  readonly of: string;
}
