import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { PlanChanges } from '#base/pages/browser/plan-changes.js';
import { COMMON_STYLE } from '#base/pages/common-style.js';
import { scriptOf } from '#base/pages/html-page.js';
import { LIVE_SCRIPT } from '#base/pages/live-script.js';
import { STYLE } from '../views/html/style.js';
import type { AssetNames } from '../views/page/frame.js';
import { SERVED_STYLE } from '../views/page/style.js';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2457c5"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>`;

const [CSS, SCRIPT] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** Serves the style and the script of the pages, under names that say what is in them, so that browsers keep them. */
export function serveAssets(server: FastifyInstance): AssetNames {
  const serve = (name: string, type: string, content: string): string => {
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const [stem, end] = name.split('.');
    const file = `${stem}-${digest}.${end}`;
    server.get(`/${file}`, async (_, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(content),
    );
    return file;
  };
  server.get('/icon.svg', async (_, reply) =>
    reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400').send(ICON),
  );
  return {
    style: serve('style.css', CSS, COMMON_STYLE + SERVED_STYLE),
    script: serve('page.js', SCRIPT, LIVE_SCRIPT),
    planStyle: serve('plan.css', CSS, STYLE),
    planScript: serve('plan.js', SCRIPT, scriptOf(PlanChanges)),
  };
}
