import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';

/** The error for a name that the workspace does not have, with the nearest known name. */
export const notInWorkspace = (
  address: string,
  {
    name,
    known,
    hint,
  }: { readonly name: string; readonly known: readonly string[]; readonly hint?: string | undefined },
  environment: string,
): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `${address} is not in environment "${environment}".`, {
    hint: nearestHint(name, known) ?? hint,
  });

/** The error for an existing object whose answer cannot be used. */
export const unreadable = (address: string, why: string): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `${address} is in the workspace, but its entry ${why}.`, {
    hint: 'Correct it in the workspace, or check the `profile` of this environment.',
  });
