import type { InjectOptions } from 'fastify';
import type { App } from '../routes/app.js';
import { callerWith, logOut, takeOver } from '../rules/sessions.js';
import type { Workspace } from '../rules/workspace.js';
import type { Answer, InterceptedRequest } from './action.js';
import { parseObject } from './answers.js';
import type { BackingService } from './armed-faults.js';

/** Lets faults use the service without a connection; `uncounted` builds a second one, which counts and logs nothing. */
export function createBackingService(
  workspace: Workspace,
  app: () => App,
  uncounted: () => Promise<App>,
): BackingService {
  let quiet: Promise<App> | undefined;
  const caller = ({ headers }: InterceptedRequest) => callerWith(workspace, headers[workspace.dialect.headers.session]);
  return {
    deliver: ({ method, url, headers, body }) =>
      answerOf(app(), { method: method as 'GET', url, headers, ...(body.length > 0 && { payload: body }) }),
    read: async (url, { headers: { 'content-length': _, 'content-type': __, ...headers } }) => {
      quiet ??= uncounted();
      return answerOf(await quiet, { method: 'GET', url, headers });
    },
    userOf: (asked) => {
      const named = asked.path === '/login' ? parseObject(asked)?.email : undefined;
      return typeof named === 'string' ? named : caller(asked)?.email;
    },
    endSession: (asked) => {
      const given = caller(asked);
      if (given) logOut(workspace, given);
    },
    takeOver: (asked) => {
      const given = caller(asked);
      if (given) takeOver(workspace, given);
    },
  };
}

async function answerOf(app: App, request: InjectOptions): Promise<Answer> {
  const { statusCode, headers, rawPayload } = await app.inject(request);
  return { status: statusCode, headers, body: rawPayload };
}
