import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { pathOf } from '#base/pages/markup.js';
import { toPrintable } from '#base/printable.js';
import { jsonIn } from '#core/model/json.js';
import type { Statement } from '#core/model/verdict.js';
import { ledgerReference } from '#delivery/planfile/plan-reference.js';
import type { Host } from '#project/host.js';
import { clickVerdict, recordVerdict, stateVerdict } from '../operations/page-verdict.js';
import type { PlanToReview, RecordedReview } from '../operations/plan-to-review.js';
import { statementPage } from '../views/page/verdict-form.js';
import { type Form, recorded } from './actions.js';
import { LINKS } from './page-server.js';
import { framing, type Pages } from './pages.js';
import { unguessable } from './sessions.js';

/** A statement that waits for its signature. */
interface Waiting {
  readonly place: PlanToReview;
  readonly statement: string;
  readonly at: number;
}

/** Milliseconds that a link holds, and how many may be open. */
const PATIENCE = 15 * 60_000;
const MOST = 1000;

type PlanRequest = FastifyRequest<{ Params: { environment: string; plan: string } }>;

/** Takes verdicts on plans: signed with the key of a person, or, if the page has a key, clicked by somebody who logged in. */
export function serveVerdicts(server: FastifyInstance, pages: Pages): void {
  const { options, host, reviewKey: key } = pages;
  const guarded = { preHandler: server.csrfProtection, config: { rateLimit: { max: 60, timeWindow: 60_000 } } };
  const links = new Map<string, Waiting>();
  const post = (what: string, answer: (request: PlanRequest, reply: FastifyReply, place: PlanToReview) => unknown) =>
    server.post(`/environments/:environment/plans/:plan/${what}`, guarded, async (request, reply) => {
      const { environment, plan } = request.params as PlanRequest['params'];
      const place = { ...omitUndefined({ config: options.config }), environment, plan: ledgerReference(plan) };
      return answer(request as PlanRequest, reply, place);
    });
  const take = async (request: PlanRequest, reply: FastifyReply, record: (own: Host) => Promise<RecordedReview>) => {
    const { environment, plan } = request.params;
    await recordFor({ environment, plan: ledgerReference(plan) }, request, pages, record);
    return reply.redirect(pathOf('environments', environment, 'plans', plan), 303);
  };
  post('statement', async (request, reply, place) => {
    const given = givenIn(request.body as Form);
    const statement = await stateVerdict({ ...place, ...given }, host);
    const now = host.clock().getTime();
    for (const [old, { at }] of links) if (links.size >= MOST || now - at > PATIENCE) links.delete(old);
    const name = unguessable();
    links.set(name, { place, statement, at: now });
    const link = `${request.protocol}://${request.host}${LINKS}${name}`;
    const { viewer, show } = framing(request, reply, pages);
    const body = statementPage(request.params, { statement, verdict: given.verdict, link }, viewer);
    return show({ title: 'Sign your verdict', here: 'waiting', body });
  });
  post('verdict', (request, reply, place) => {
    const { statement = '', signature = '' } = (request.body ?? {}) as Form;
    // Browsers end the lines of forms with CRLF.
    const [text, armor] = [statement, signature].map((one) => one.replaceAll('\r\n', '\n'));
    const signed = { statement: text ?? '', signature: `${armor?.trim()}\n` };
    return take(request, reply, (own) => recordVerdict({ ...place, signed }, own));
  });
  post('click', (request, reply, place) => {
    const { session } = request;
    if (key === undefined || session?.roles.includes('review') !== true) throw noClicks();
    const given = { ...givenIn(request.body as Form), signer: session.name, key };
    return take(request, reply, (own) => clickVerdict({ ...place, ...given }, own));
  });
  // Only these paths take JSON: the forms of browsers cannot send it to them.
  void server.register(async (own) => {
    own.addContentTypeParser('application/json', { parseAs: 'string' }, (_, body, done) =>
      done(null, jsonIn(String(body))),
    );
    serveLinks(own, pages, links);
  });
}

async function recordFor(
  { environment, plan }: PlanToReview,
  request: FastifyRequest,
  { knowledge, host }: Pages,
  record: (own: Host) => Promise<RecordedReview>,
): Promise<RecordedReview> {
  const action = { action: 'review', of: `${plan} of ${environment}` } as const;
  const review = await recorded(action, request, host, () => record(host));
  await knowledge.refresh();
  return review;
}

type LinkRequest = FastifyRequest<{ Params: { key: string }; Body?: { signature?: unknown } | null }>;

/** What `plan review --server` reads and sends. */
function serveLinks(server: FastifyInstance, pages: Pages, links: Map<string, Waiting>): void {
  const answer =
    (work: (waiting: Waiting, request: LinkRequest) => Promise<object>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      reply.type('application/json');
      try {
        const found = links.get((request.params as LinkRequest['params']).key);
        if (found === undefined || pages.host.clock().getTime() - found.at > PATIENCE) throw noLink();
        return JSON.stringify(await work(found, request as LinkRequest));
      } catch (error) {
        if (!(error instanceof DexsyncError)) throw error;
        const { code, message, hint } = error;
        return reply
          .code(409)
          .send(JSON.stringify(toPrintable({ error: { code, message, ...omitUndefined({ hint }) } })));
      }
    };
  server.get(
    `${LINKS}:key`,
    answer(async ({ statement }) => ({ statement })),
  );
  server.post(
    `${LINKS}:key`,
    answer(async ({ place, statement }, request) => {
      const signed = { statement, signature: String(request.body?.signature) };
      const review = await recordFor(place, request, pages, (own) => recordVerdict({ ...place, signed }, own));
      links.delete(request.params.key);
      return review;
    }),
  );
}

function givenIn(form: Form = {}): { verdict: Statement['verdict']; signer: string; reason?: string } {
  const { verdict, signer = '', reason = '' } = form;
  if (verdict !== 'approved' && verdict !== 'rejected')
    throw new DexsyncError('USAGE', 'A verdict is missing.', { hint: 'Choose to approve or to reject the plan.' });
  if (signer.trim() === '')
    throw new DexsyncError('USAGE', 'Your name is missing.', { hint: 'Give the one that the allowed signers list.' });
  const why = reason.trim().slice(0, 500);
  return { verdict, signer: signer.trim(), ...(why === '' ? {} : { reason: why }) };
}

const noLink = (): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', 'This link was used already, or is older than 15 minutes.', {
    hint: 'Open the page of the plan and ask for the statement again.',
  });

const noClicks = (): DexsyncError =>
  new DexsyncError('PERMISSION', 'Clicks do not count as verdicts here.', {
    hint: 'Sign the statement. `page.reviewKey` and the role `review` of `page.login.roles` would allow clicks.',
  });
