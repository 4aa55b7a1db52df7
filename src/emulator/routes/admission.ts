import type { FastifyReply, FastifyRequest } from 'fastify';
import { pacificDateTime } from '../rules/date-times.js';
import { refuse, ServiceError } from '../rules/service-error.js';
import { authenticate } from '../rules/sessions.js';
import type { Caller } from '../rules/workspace.js';
import type { App, Services } from './app.js';

/** Returns the user who sent a request; only for routes that need a session. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw refuse.noSession();
  return request.caller;
}

/** Refuses everyone but administrators (interface 5). */
export function requireAdministrator(request: FastifyRequest): Caller {
  const caller = callerOf(request);
  if (!caller.administrator) throw refuse.noPrivilege('administer the embedded workspace');
  return caller;
}

/**
 * Checks every request before its route: session, request limit, usage log. Adds the quota headers to every answer
 * (wire-facts 1, 2). Without a session, no endpoint is revealed, whether it exists or not.
 */
export function admitRequests(app: App, services: Services): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('counted', false);
  const resetText = resetWriter(services);
  // Uses callbacks, since the promises of asynchronous hooks would take longer than the work itself.
  app.addHook('onRequest', (request, _, done) => {
    admit(request, services);
    done();
  });
  app.addHook('onSend', (request, reply, _, done) => {
    settle(request, reply, services, resetText);
    done();
  });
}

/** The allowed hosts: a page of another name that leads to this machine must not reach the workspace from a browser. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i;

function admit(request: FastifyRequest, { workspace, limit }: Services): void {
  if (!LOOPBACK.test(request.headers.host ?? ''))
    throw new ServiceError({ code: 403, message: `No workspace is called "${request.headers.host ?? ''}".` });
  const { open, uncounted } = request.routeOptions.config;
  if (open) return;
  request.caller = authenticate(workspace, header(request, workspace.dialect.headers.session));
  if (!uncounted) {
    limit.take();
    request.counted = true;
  }
  if (request.headers['content-encoding'] !== undefined) {
    throw new ServiceError({ code: 415, message: 'Requests must not be compressed.' });
  }
}

/** Formats the reset time as the dialect requires, once a day, since formatting Pacific Time is slow. */
function resetWriter({ workspace }: Services): (reset: Date) => string {
  const write =
    workspace.dialect.resetDate === 'pacific' ? pacificDateTime : (date: Date): string => date.toUTCString();
  let last = { reset: new Date(Number.NaN), text: '' };
  return (reset) => {
    if (reset.getTime() !== last.reset.getTime()) last = { reset, text: write(reset) };
    return last.text;
  };
}

function settle(
  request: FastifyRequest,
  reply: FastifyReply,
  { workspace, limit }: Services,
  resetText: (reset: Date) => string,
): void {
  const { headers } = workspace.dialect;
  const { remaining, reset } = limit.allowance();
  reply.header(headers.requestsRemaining, remaining).header(headers.nextLimitReset, resetText(reset));
  if (!request.counted || !request.caller) return;
  limit.record({
    method: request.method,
    path: request.url,
    status: reply.statusCode,
    email: request.caller.email,
    reason: header(request, headers.usageReason) ?? null,
  });
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
