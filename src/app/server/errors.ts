import type { FastifyInstance } from 'fastify';
import { DexsyncError, type ErrorCode, reasonOf } from '#base/errors.js';
import { html } from '#base/pages/markup.js';
import { toPrintable } from '#base/printable.js';
import type { Host } from '#project/host.js';
import { type AssetNames, messagePage, withCommands } from '../views/page/frame.js';

const STATUSES: Partial<Record<ErrorCode, number>> = {
  PLAN_UNAPPROVED: 409,
  GIT_FAILED: 503,
  ...{ UNKNOWN_NAME: 404, AMBIGUOUS_NAME: 404, USAGE: 400, PERMISSION: 403, LOCKED: 409, CREDENTIALS_MISSING: 409 },
};

/** Titles and texts for failures of the server itself. */
const WORDS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  403: ['This was not done', 'The form was not from a page of this login. Open the page again and repeat it.'],
  404: ['There is no such page', 'The address may have been copied in part.'],
  413: ['This was not done', 'The form is too long.'],
  429: ['Too many requests', 'Wait a minute, and try again.'],
};

/** Answers what failed with a page that says what happened and what to do. */
export function answerErrors(server: FastifyInstance, assets: AssetNames, host: Pick<Host, 'emit'>): void {
  server.setNotFoundHandler((_, reply) => {
    const [title, text] = WORDS[404] as readonly [string, string];
    return reply
      .code(404)
      .type('text/html; charset=utf-8')
      .send(messagePage(title, html`<p>${text} <a href="/">Workspaces</a></p>`, assets));
  });
  server.setErrorHandler((error, _, reply) => {
    const { status, title, body } = answerTo(error, host);
    return reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(messagePage(title, body, assets));
  });
}

function answerTo(error: unknown, { emit }: Pick<Host, 'emit'>) {
  const back = html`<p><a href="/">Workspaces</a></p>`;
  if (error instanceof DexsyncError) {
    const { message, hint = '' } = toPrintable({ message: error.message, hint: error.hint });
    const status = STATUSES[error.code] ?? 500;
    const title = status === 404 ? 'Not found' : 'This was not done';
    return {
      status,
      title,
      body: html`<p>${withCommands(message)}</p><p class="dim">${withCommands(hint)}</p>${back}`,
    };
  }
  const { statusCode: status = 500 } = error as { statusCode?: number };
  const words = WORDS[status];
  if (words !== undefined) return { status, title: words[0], body: html`<p>${words[1]}</p>${back}` };
  if (status < 500)
    return { status, title: 'This was not done', body: html`<p>The request is not one of this page.</p>${back}` };
  const message = `A page could not be shown: ${reasonOf(error)}.`;
  const hint = 'This is a bug in dexsync. Please report it.';
  emit({ type: 'diagnostic', diagnostic: { severity: 'error', code: 'page-failed', message, hint } });
  return {
    status: 500,
    title: 'This page could not be shown',
    body: html`<p>The server has the reason in its log.</p>${back}`,
  };
}
