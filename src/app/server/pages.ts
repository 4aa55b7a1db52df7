import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMMAND_LINE } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { toPrintable } from '#base/printable.js';
import { LEDGER } from '#core/engine/prune.js';
import type { Plan } from '#core/model/plan.js';
import { ledgerReference } from '#delivery/planfile/plan-reference.js';
import { readPlan } from '#delivery/planfile/read-plan.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { withSharing } from '#project/once.js';
import { STANDARD_INPUT } from '#project/shown-file.js';
import { blame } from '../operations/blame.js';
import { type History, history } from '../operations/history.js';
import { planStanding } from '../operations/page-verdict.js';
import { listReleases, readReleaseWithNotes } from '../operations/releases.js';
import type { EnvironmentStatus } from '../operations/status.js';
import { fleetsPage, rolloutPage } from '../views/page/fleets.js';
import { type AssetNames, framedPage, type ServedPage, type Viewer } from '../views/page/frame.js';
import { environmentPage, objectPage } from '../views/page/history.js';
import { planPage } from '../views/page/plan.js';
import { releasePage, releasesPage } from '../views/page/releases.js';
import { verdictForm } from '../views/page/verdict-form.js';
import { waitingCount, waitingPage } from '../views/page/waiting.js';
import { workspacesPage } from '../views/page/workspaces.js';
import type { Errands } from './errands.js';
import type { Knowledge, Known } from './knowledge.js';
import { HTML } from './page-server.js';

/** What the pages of a server need. */
export interface Pages {
  readonly options: ProjectOptions;
  readonly knowledge: Knowledge;
  readonly errands: Errands;
  readonly assets: AssetNames;
  readonly host: Host;
  /** The file of the key that signs clicked verdicts. */
  readonly reviewKey?: string;
}

type Params<K extends string> = { Params: Record<K, string>; Querystring: Record<string, unknown> };
type Show = (page: ServedPage) => FastifyReply;

/** Who looks, and how a page is shown to them. */
export function framing(
  request: FastifyRequest,
  reply: FastifyReply,
  { knowledge, assets }: Pages,
): { readonly viewer: Viewer; readonly show: Show } {
  const viewer = viewerOf(request, reply, knowledge);
  return { viewer, show: (page) => reply.type(HTML).send(framedPage(page, viewer, assets)) };
}

/** Serves what people look at. Reads the ledger where a page shows more than what is known of all environments. */
export function servePages(server: FastifyInstance, pages: Pages): void {
  const { knowledge } = pages;
  const get = <K extends string = never>(
    path: string,
    answer: (request: FastifyRequest<Params<K>>, show: Show, viewer: Viewer) => Promise<FastifyReply> | FastifyReply,
  ): void => {
    server.get<Params<K>>(path, async (request, reply) => {
      const { viewer, show } = framing(request as FastifyRequest, reply, pages);
      return answer(request, show, viewer);
    });
  };
  get('/', ({ query }, show) => {
    const filter = { show: textIn(query.show), words: textIn(query.q).trim() };
    const key = JSON.stringify(filter);
    const body = knowledge.derived(key, () => workspacesPage(printable(knowledge), filter));
    return show({ title: 'Workspaces', here: 'workspaces', body });
  });
  get('/waiting', (_, show) =>
    show({ title: 'Waits for you', here: 'waiting', body: waitingPage(printable(knowledge)) }),
  );
  get('/fleets', (_, show) => show({ title: 'Fleets', here: 'fleets', body: fleetsPage(printable(knowledge)) }));
  get<'fleet'>('/fleets/:fleet', ({ params: { fleet } }, show, viewer) => {
    const status = knowledge.now().rollouts.find((one) => one.fleet === fleet);
    if (status === undefined) throw nothing('rollout of a fleet', fleet);
    return show({ title: fleet, here: 'fleets', body: rolloutPage(toPrintable(status), viewer) });
  });
  serveReleases(get, pages);
  serveEnvironments(get, pages);
}

type Get = Parameters<typeof serveReleases>[0];

function serveReleases(
  get: <K extends string = never>(
    path: string,
    answer: (request: FastifyRequest<Params<K>>, show: Show, viewer: Viewer) => Promise<FastifyReply> | FastifyReply,
  ) => void,
  { options, knowledge, host }: Pages,
): void {
  get('/releases', async (_, show) => {
    const found = await withSharing(host, (shared) => listReleases(options, shared));
    return show({ title: 'Releases', here: 'releases', body: releasesPage(toPrintable(found)) });
  });
  get<'release'>('/releases/:release', async ({ params: { release } }, show) => {
    const found = await withSharing(host, (shared) => readReleaseWithNotes({ ...options, release }, shared));
    const body = releasePage(toPrintable(found.release), toPrintable(found.notes), printable(knowledge).environments);
    return show({ title: release, here: 'releases', body });
  });
}

function serveEnvironments(get: Get, { options, knowledge, errands, host, reviewKey }: Pages): void {
  get<'environment'>('/environments/:environment', async ({ params: { environment } }, show, viewer) => {
    const one = environmentNamed(environment, knowledge);
    const found = await historyOf(one, options, host);
    const body = environmentPage(
      ...([
        toPrintable(one),
        printable(knowledge),
        toPrintable(found),
        toPrintable(errands.of({ action: 'look-for-drift', of: environment })),
        viewer,
      ] as const),
    );
    return show({ title: environment, here: 'workspaces', body });
  });
  get<'environment'>('/environments/:environment/objects', async ({ params: { environment }, query }, show, viewer) => {
    const one = environmentNamed(environment, knowledge);
    const address = textIn(query.address);
    const found = await historyOf(one, options, host, address);
    if (typeof found === 'string') throw nothing('history of the environment', environment);
    const fields = await withSharing(host, (shared) =>
      blame({ ...options, environment, object: address }, shared),
    ).then(
      (known) => known.fields,
      () => [],
    );
    const body = objectPage(toPrintable(address), toPrintable(found), toPrintable(fields), cellsFor(viewer));
    return show({ title: address, here: 'workspaces', body });
  });
  get<'environment' | 'plan'>('/environments/:environment/plans/:plan', async ({ params }, show, viewer) => {
    const { environment, plan: name } = params;
    environmentNamed(environment, knowledge);
    const file = ledgerReference(name);
    const saved = await withSharing(host, (shared) => readPlan(file, shared, { ...options, environment }));
    const standing = await planStanding({ ...options, environment, plan: file }, host);
    const clicks = reviewKey !== undefined;
    const form = standing === undefined ? undefined : verdictForm(params, viewer, clicks);
    const body = planPage(toPrintable(saved), settingOf(saved.plan, host), cellsFor(viewer), {
      ...omitUndefined({ standing: toPrintable(standing), form }),
    });
    return show({ title: name, here: 'waiting', body, own: 'plan' });
  });
}

/** Whether cells of rows may be shown. */
export const cellsFor = ({ roles }: Viewer): 'shown' | 'hidden' => (roles.includes('data') ? 'shown' : 'hidden');

/** A parameter of a query. */
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What is known, safe to show. */
const printable = ({ derived }: Knowledge): Known => derived('printable', toPrintable);

function viewerOf({ session }: FastifyRequest, reply: FastifyReply, { now, derived, version }: Knowledge): Viewer {
  const known = now();
  const { name = '', roles = [] } = session ?? {};
  return {
    ...{ name: toPrintable(name), roles, token: reply.generateCsrf() },
    ...{
      stack: known.stack,
      waiting: derived('waiting', waitingCount),
      version: version(),
      at: known.at,
      problem: toPrintable(known.problem),
    },
  };
}

/** UNKNOWN_NAME */
export const nothing = (what: string, name: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `There is no ${what} "${name}".`, {
    hint: 'It may have been removed since the page was opened.',
  });

/** What is known of an environment. UNKNOWN_NAME */
export function environmentNamed(name: string, { now }: Knowledge): EnvironmentStatus {
  const found = now().environments.find(({ environment }) => environment === name);
  if (found === undefined) throw nothing('environment', name);
  return found;
}

/** Applies that a page shows. */
const MOST = 100;

/** The history of an environment, or why there is none. A workspace that nobody used here is not logged in to for it. */
async function historyOf(
  one: EnvironmentStatus,
  options: ProjectOptions,
  host: Host,
  address?: string,
): Promise<History | string> {
  const unread = whyUnread(one);
  if (unread !== undefined) return unread;
  const { environment } = one;
  const asked = { ...options, environment, limit: MOST, ...omitUndefined({ address }) };
  return withSharing(host, (shared) => history(asked, shared));
}

/** Why nothing of an environment is read for a page. */
export function whyUnread({ environment, known, problem }: EnvironmentStatus): string | undefined {
  if (problem !== undefined) return 'Its ledger cannot be read.';
  return known
    ? undefined
    : `Its workspace is not known here yet; \`dexsync env check ${environment}\` logs in once and remembers it.`;
}

const settingOf = ({ environment, createdAt }: Plan, { version }: Host) => ({
  ...{ command: 'plan', version, at: createdAt, environment },
  ...{ root: '', here: '', project: '', config: 'sync.config.yaml' },
  noFiles: [STANDARD_INPUT, COMMAND_LINE.file, LEDGER.file],
});
