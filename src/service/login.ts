import { DexsyncError } from '../errors.js';
import { answerObject } from './answer-object.js';
import type { Profile } from './profiles/profile.js';
import type { Request, Send } from './send.js';

/** Where and as whom to log in. The password is asked for at each login and kept nowhere. */
export interface Login {
  readonly url: string;
  readonly email: string;
  readonly password: () => Promise<string>;
  readonly workspaceId?: string;
}

/** The workspace that a login opened. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** Requests a day, where the service tells (wire-facts, section 1). */
  readonly requestLimit?: number;
}

/**
 * `POST /login` (wire-facts, sections 0 and 1). Throws LOGIN_REFUSED, WORKSPACE_MISMATCH where the service opens
 * another workspace than the configured one, and ANSWER_UNEXPECTED where it gives no token.
 */
export async function postLogin(
  send: Send,
  { tokenFields }: Profile,
  { email, password, workspaceId }: Login,
): Promise<{ token: string; workspace: Workspace }> {
  const wanted = workspaceId === undefined ? {} : { workspaceId: workspaceNumber(workspaceId) };
  const json = { email, password: await password(), ...wanted };
  const request: Request = { method: 'POST', path: '/login', body: { json }, login: true };
  const body = answerObject(await send(request), request);
  const token = tokenFields.map((field) => body[field]).find((value) => typeof value === 'string');
  if (token === undefined) {
    const message = `The login answer has no session token (expected one of ${tokenFields.join(', ')}).`;
    throw new DexsyncError('ANSWER_UNEXPECTED', message, { hint: 'Check the `profile` of this environment.' });
  }
  const { workspaceRequestLimit: limit } = body;
  const workspace: Workspace = {
    id: String(body.workspaceId ?? ''),
    name: String(body.workspaceName ?? ''),
    ...(typeof limit === 'number' ? { requestLimit: limit } : {}),
  };
  if (workspaceId !== undefined && workspace.id !== workspaceId) throw otherWorkspace(workspaceId, workspace);
  return { token, workspace };
}

/** Workspace ids are numbers on the wire; anything else is sent as it was written, for the service to refuse. */
const workspaceNumber = (id: string): number | string => (/^\d{1,15}$/.test(id) ? Number(id) : id);

const otherWorkspace = (wanted: string, { id, name }: Workspace): DexsyncError =>
  new DexsyncError(
    'WORKSPACE_MISMATCH',
    `The configuration has workspace ${wanted}, but the login opened workspace ${id} ("${name}").`,
    {
      hint: 'Nothing was read or changed. Correct `workspaceId`, or log in as a user of that workspace.',
    },
  );
