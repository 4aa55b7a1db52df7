import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { pathOf } from '#base/pages/markup.js';
import type { PageAction } from '#core/stream/page-event.js';
import { ledgerReference } from '#delivery/planfile/plan-reference.js';
import type { Host } from '#project/host.js';
import { drift } from '../operations/drift.js';
import { type FleetOptions, pauseFleet, stopFleet } from '../operations/steer-fleet.js';
import type { Pages } from './pages.js';

/** What a form says. */
export type Form = Readonly<Record<string, string | undefined>>;

/** Does what people ask for, as themselves, if they have the role `operate`; each of it is recorded, done or not. */
export function serveActions(server: FastifyInstance, pages: Pages): void {
  const { options, knowledge, host } = pages;
  const rateLimit = { max: 60, timeWindow: 60_000 };
  const guarded = { preHandler: [server.csrfProtection, only('operate')], config: { rateLimit } };
  const steer = (action: 'pause' | 'stop', change: (given: FleetOptions, own: Host) => Promise<unknown>): void => {
    server.post<{ Params: { fleet: string } }>(`/fleets/:fleet/${action}`, guarded, async (request, reply) => {
      const { fleet } = request.params;
      const { reason = '', rollout = '', sure } = (request.body ?? {}) as Form;
      const { config, dataFolder } = options;
      const given = {
        fleet: ledgerReference(rollout),
        reason: reasonIn(reason),
        ...omitUndefined({ config, dataFolder }),
      };
      if (action === 'stop' && sure !== 'yes') throw unsure();
      await recorded(
        { action, of: `rollout ${rollout} of ${fleet}` },
        request,
        host,
        () => change(given, personal(request, host)),
        given.reason,
      );
      await knowledge.refresh();
      return reply.redirect(pathOf('fleets', fleet), 303);
    });
  };
  steer('pause', pauseFleet);
  steer('stop', stopFleet);
  server.post<{ Params: { environment: string } }>(
    '/environments/:environment/look',
    guarded,
    async (request, reply) => {
      const { environment } = request.params;
      if (knowledge.now().environments.some((one) => one.environment === environment))
        inBackground({ action: 'look-for-drift', of: environment }, request, pages, (own) =>
          drift({ ...options, environment }, own),
        );
      return reply.redirect(pathOf('environments', environment), 303);
    },
  );
}

/** Does something while the page goes on, and reports then who asked for it, and whether it was done. */
export function inBackground(
  action: PageAction,
  request: FastifyRequest,
  { errands, knowledge, host }: Pages,
  work: (own: Host) => Promise<unknown>,
): void {
  errands.begin(action, personal(request, host), work, (error) => {
    report(action, request, host, omitUndefined({ error }));
    void knowledge.refresh().then(knowledge.touch);
  });
}

/** The surroundings of an operation that a person asked for. */
const personal = ({ session }: FastifyRequest, host: Host): Host => ({
  ...host,
  command: 'dexsync serve',
  ...omitUndefined({ person: session?.name }),
});

/** Refuses people without a role. PERMISSION */
export const only =
  (role: 'operate' | 'data') =>
  async ({ session }: Pick<FastifyRequest, 'session'>): Promise<void> => {
    if (session?.roles.includes(role)) return;
    throw new DexsyncError('PERMISSION', REFUSALS[role], {
      hint: `It takes the role ${role}, which \`page.login.roles\` in sync.config.yaml gives.`,
    });
  };

const REFUSALS = {
  operate: 'You may look at this page, and change nothing.',
  data: 'You may not see what rows contain.',
} as const;

function reasonIn(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= 500) return reason;
  throw new DexsyncError('USAGE', 'A reason is needed, of at most 500 characters.', {
    hint: 'Others will read it in the record.',
  });
}

const unsure = (): DexsyncError =>
  new DexsyncError('USAGE', 'Stopping a rollout must be confirmed.', { hint: 'Check "I am sure" too.' });

/** Does something, and reports who asked for it, and whether it was done. */
export async function recorded<T>(
  action: PageAction,
  request: FastifyRequest,
  host: Host,
  act: () => Promise<T>,
  reason?: string,
): Promise<T> {
  const why = omitUndefined({ reason });
  try {
    const done = await act();
    report(action, request, host, why);
    return done;
  } catch (error) {
    report(action, request, host, { ...why, error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

export const report = (
  action: PageAction,
  { session }: FastifyRequest,
  { emit }: Host,
  facts: { readonly reason?: string; readonly error?: string } = {},
): void => emit({ type: 'page', event: { is: 'action', by: session?.name ?? '', ...action, ...facts } });
