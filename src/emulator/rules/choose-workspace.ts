import { lastWorkspace, setLastWorkspace } from '../store/usage.js';
import { accountByEmail } from '../store/users.js';
import type { Workspace } from './workspace.js';

interface Login {
  readonly email: string;
  readonly workspaceId?: number | string;
}

/**
 * Chooses the workspace that a login opens: the one with its id, or else the one that the user used last (wire-facts 1,
 * "No workspaceId"), at first the first one that has the user.
 */
export function chooseWorkspace(all: readonly Workspace[], { email, workspaceId }: Login): Workspace | undefined {
  if (workspaceId !== undefined) return all.find(({ id }) => id === Number(workspaceId));
  const [first] = all;
  if (first === undefined || all.length === 1) return first;
  const last = lastWorkspace(first.usage, email);
  return all.find(({ id }) => id === last) ?? all.find(({ settings }) => accountByEmail(settings, email) !== undefined);
}

/** Keeps, with the first workspace, which one a user used last. */
export function rememberWorkspace([first, ...others]: readonly Workspace[], { email }: Login, used: Workspace): void {
  if (first !== undefined && others.length > 0) setLastWorkspace(first.usage, email, used.id);
}
