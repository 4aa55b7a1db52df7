import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { pathOf } from '#base/pages/markup.js';
import type { PageAction } from '#core/stream/page-event.js';
import { ledgerReference } from '#delivery/planfile/plan-reference.js';
import type { Host } from '#project/host.js';
import { type FleetOptions, pauseFleet, stopFleet } from '../operations/steer-fleet.js';
import type { Pages } from './pages.js';

/** What a form says. */
export type Form = Readonly<Record<string, string | undefined>>;

/** Does what people ask for, as themselves, if they have the role `operate`; each of it is recorded, done or not. */
export function serveActions(server: FastifyInstance, { options, knowledge, looks, host }: Pages): void {
  const rateLimit = { max: 60, timeWindow: 60_000 };
  const guarded = { preHandler: [server.csrfProtection, onlyOperators(host)], config: { rateLimit } };
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
        looks.begin(environment, personal(request, host), (error) => {
          report({ action: 'look-for-drift', of: environment }, request, host, omitUndefined({ error }));
          void knowledge.refresh();
        });
      return reply.redirect(pathOf('environments', environment), 303);
    },
  );
}

/** The surroundings of an operation that a person asked for. */
const personal = ({ session }: FastifyRequest, host: Host): Host => ({
  ...host,
  command: 'dexsync serve',
  ...omitUndefined({ person: session?.name }),
});

const onlyOperators =
  (_: Host) =>
  async ({ session }: FastifyRequest, __: FastifyReply) => {
    if (session?.roles.includes('operate')) return;
    throw new DexsyncError('PERMISSION', 'You may look at this page, and change nothing.', {
      hint: 'It takes the role operate, which `page.login.roles` in sync.config.yaml gives.',
    });
  };

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

const report = (
  action: PageAction,
  { session }: FastifyRequest,
  { emit }: Host,
  facts: { readonly reason?: string; readonly error?: string },
): void => emit({ type: 'page', event: { is: 'action', by: session?.name ?? '', ...action, ...facts } });
