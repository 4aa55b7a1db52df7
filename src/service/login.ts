import { DexsyncError } from '#base/errors.js';
import type { Secrets } from '#base/secrets.js';
import { answerObject } from './answer-object.js';
import type { Profile } from './profiles/profile.js';
import type { Request, Send } from './send.js';
import { ServiceError } from './service-error.js';

/** Where to log in, and as whom. The password is requested at each login, and kept only to redact it from messages. */
export interface Login {
  readonly url: string;
  readonly email: string;
  readonly password: () => Promise<string>;
  readonly workspaceId?: string;
  /** The sources of these, for messages: the environment, and the variable or setting with the password. */
  readonly from?: { readonly environment: string; readonly password: string };
}

/** The workspace that a login opened. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** Requests per day, if the service says so (wire-facts, section 1). */
  readonly requestLimit?: number;
}

/**
 * Logs in by `POST /login` (wire-facts, sections 0 and 1). Throws LOGIN_REFUSED, WORKSPACE_MISMATCH if the service
 * opens another workspace than the configured one, and ANSWER_UNEXPECTED if it returns no usable token.
 */
export async function postLogin(
  send: Send,
  { tokenFields }: Profile,
  login: Login,
  secrets: Secrets,
): Promise<{ token: string; workspace: Workspace }> {
  const { email, password, workspaceId } = login;
  const wanted = workspaceId === undefined ? {} : { workspaceId: workspaceNumber(workspaceId) };
  const json = { email, password: await password(), ...wanted };
  secrets.add(json.password);
  const request: Request = { method: 'POST', path: '/login', body: { json }, login: true };
  const body = await send(request)
    .then((answer) => answerObject(answer, request, secrets))
    .catch((error: unknown) => Promise.reject(withPlace(error, login)));
  const token = tokenFields.map((field) => body[field]).find((value) => typeof value === 'string');
  if (token === undefined) {
    const message = `The login answer has no session token (expected one of ${tokenFields.join(', ')}).`;
    throw new DexsyncError('ANSWER_UNEXPECTED', message, { hint: 'Check the `profile` of this environment.' });
  }
  secrets.add(token);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const message = 'The login answer has a session token with characters that no header can carry.';
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

/** Adds a hint: a page, a redirect or 404 comes from another server, or from the service at another path. */
function withPlace(error: unknown, login: Login): unknown {
  const hint =
    `The URL was ${addressOf(login)}. Check the \`url\` in sync.config.yaml, including the version at its end ` +
    '(such as /v1), the `profile`, and any proxy.';
  if (error instanceof ServiceError) {
    const { status, problems } = error;
    const isElsewhere = status === 404 || (status < 500 && status !== 401 && status !== 429 && problems.length === 0);
    if (isElsewhere) return error.withHint(hint);
    return error.code === 'LOGIN_REFUSED' ? error.withHint(credentialsHint(login)) : error;
  }
  if (!(error instanceof DexsyncError) || error.code !== 'ANSWER_NOT_JSON') return error;
  return new DexsyncError(error.code, error.message, { hint, cause: error });
}

const addressOf = ({ url }: Login): string => `${url.replace(/\/$/, '')}/login`;

function credentialsHint(login: Login): string {
  const { email, workspaceId, from } = login;
  const by = from === undefined ? email : `environment "${from.environment}" as ${email}`;
  const workspace = workspaceId === undefined ? '' : `, for workspace ${workspaceId}`;
  const password = from === undefined ? '' : `, with the password from ${from.password}`;
  return `The login was sent to ${addressOf(login)} by ${by}${workspace}${password}. Check each of these.`;
}

/** Converts a workspace id to a number, as on the wire; others are sent as written, for the service to refuse. */
const workspaceNumber = (id: string): number | string => (/^\d{1,15}$/.test(id) ? Number(id) : id);

const otherWorkspace = (wanted: string, { id, name }: Workspace): DexsyncError =>
  new DexsyncError(
    'WORKSPACE_MISMATCH',
    `The configuration has workspace ${wanted}, but the login opened workspace ${id} ("${name}").`,
    {
      hint: 'Nothing was read or changed. Correct `workspaceId`, or log in as a user of that workspace.',
    },
  );
