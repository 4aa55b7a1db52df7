import type { IncomingHttpHeaders } from 'node:http';
import type { InjectOptions } from 'fastify';
import type { App } from '../routes/app.js';
import { callerWith, logOut, takeOver } from '../rules/sessions.js';
import type { Workspace } from '../rules/workspace.js';
import type { Answer, InterceptedRequest } from './action.js';
import { parseObject } from './answers.js';
import type { BackingService } from './armed-faults.js';

/** A workspace with its servers: the one that clients reach, and one that counts and logs nothing. */
interface Served {
  readonly workspace: Workspace;
  readonly app: App;
  readonly uncounted: () => Promise<App>;
}

/** Lets faults use the workspace of a request without a connection. */
export function createBackingService(servedFor: (headers: IncomingHttpHeaders) => Served): BackingService {
  const caller = ({ headers }: InterceptedRequest) => {
    const { workspace } = servedFor(headers);
    return callerWith(workspace, headers[workspace.dialect.headers.session]);
  };
  return {
    deliver: ({ method, url, headers, body }) =>
      answerOf(servedFor(headers).app, {
        method: method as 'GET',
        url,
        headers,
        ...(body.length > 0 && { payload: body }),
      }),
    read: async (url, { headers: { 'content-length': _, 'content-type': __, ...headers } }) =>
      answerOf(await servedFor(headers).uncounted(), { method: 'GET', url, headers }),
    userOf: (asked) => {
      const named = asked.path === '/login' ? parseObject(asked)?.email : undefined;
      return typeof named === 'string' ? named : caller(asked)?.email;
    },
    endSession: (asked) => {
      const given = caller(asked);
      if (given) logOut(servedFor(asked.headers).workspace, given);
    },
    takeOver: (asked) => {
      const given = caller(asked);
      if (given) takeOver(servedFor(asked.headers).workspace, given);
    },
  };
}

async function answerOf(app: App, request: InjectOptions): Promise<Answer> {
  const { statusCode, headers, rawPayload } = await app.inject(request);
  return { status: statusCode, headers, body: rawPayload };
}
