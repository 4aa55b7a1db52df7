import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DexsyncError } from '#base/errors.js';
import { Markup, pathOf } from '#base/pages/markup.js';
import { toPrintable } from '#base/printable.js';
import type { PageAction } from '#core/stream/page-event.js';
import { FAILED_WORKBOOK } from '#data/bulk/report/failed-workbook.js';
import { OUTCOMES } from '#data/bulk/report/page/facts-section.js';
import { allowedText, nextStep } from '#data/bulk/report/page/help-section.js';
import type { FailedRowChoice, KeptRunReport } from '#data/bulk/report/read-run-report.js';
import { fetchReport } from '../operations/fetch-report.js';
import { type ImportReport, importReport } from '../operations/import-report.js';
import { listImports } from '../operations/list-imports.js';
import { canBeFetched, importPage, type ReportWords, ROWS_ON_A_PAGE, workbookName } from '../views/page/import.js';
import { importsPage } from '../views/page/imports.js';
import { inBackground, only, report } from './actions.js';
import { cellsFor, environmentNamed, framing, nothing, type Pages, textIn, whyUnread } from './pages.js';

interface Place {
  readonly environment: string;
  readonly run: string;
}

type ImportRequest = FastifyRequest<{ Params: Place; Querystring: Record<string, unknown> }>;

const LIST = '/environments/:environment/imports';
const ONE = `${LIST}/:run`;

/** Serves what became of imports: which rows failed, and why. A request reads no more of a report than it shows. */
export function serveImports(server: FastifyInstance, pages: Pages): void {
  const { options, knowledge, host } = pages;
  const rateLimit = { max: 60, timeWindow: 60_000 };
  server.get<{ Params: Place; Querystring: Record<string, unknown> }>(LIST, async (request, reply) => {
    const { environment } = request.params;
    const why = whyUnread(environmentNamed(environment, knowledge));
    const found = why === undefined ? await listImports({ ...options, environment }, host) : why;
    const choice = { show: textIn(request.query.show), from: numberIn(request.query.from) };
    const { show } = framing(request as FastifyRequest, reply, pages);
    return show({
      ...{ title: `Imports of ${environment}`, here: 'workspaces' },
      body: importsPage(environment, toPrintable(found), choice),
    });
  });
  // What is far down in a long report takes long to find.
  server.get(ONE, { config: { rateLimit: { ...rateLimit, max: 120 } } }, async (request, reply) => {
    const { params, query } = request as ImportRequest;
    const { show, viewer } = framing(request, reply, pages);
    const cells = cellsFor(viewer);
    const choice = {
      ...{ from: numberIn(query.from), count: cells === 'shown' ? ROWS_ON_A_PAGE : 0 },
      ...(textIn(query.cause) === '' ? {} : { cause: numberIn(query.cause) }),
    };
    const found = toPrintable(await reportAt(params, pages, choice));
    const errand = toPrintable(pages.errands.of(fetching(params)));
    const { seen } = environmentNamed(params.environment, knowledge);
    const body = importPage(found, {
      choice,
      viewer,
      cells,
      errand,
      remaining: seen?.remaining,
      words: wordsOf(found.kept),
    });
    return show({ title: `${found.import.address} in ${params.environment}`, here: 'workspaces', body });
  });
  server.get(`${ONE}/${FAILED_WORKBOOK}`, { preHandler: only('data'), config: { rateLimit } }, (request, reply) =>
    sendWorkbook(request as ImportRequest, reply, pages),
  );
  const guarded = { preHandler: [server.csrfProtection, only('operate'), only('data')], config: { rateLimit } };
  server.post(`${ONE}/fetch`, guarded, async (request, reply) => {
    const { params } = request as ImportRequest;
    if (canBeFetched(await reportAt(params, pages, { count: 0 })))
      inBackground(fetching(params), request, pages, (own) => fetchReport({ ...options, ...params }, own));
    return reply.redirect(pathOf('environments', params.environment, 'imports', params.run), 303);
  });
}

const fetching = ({ environment, run }: Place): PageAction => ({
  action: 'fetch-report',
  of: `import ${run} of ${environment}`,
});

function wordsOf(kept: KeptRunReport | null): ReportWords | undefined {
  if (kept === null) return undefined;
  const { report } = kept;
  return {
    outcome: OUTCOMES[report.outcome],
    next: new Markup(nextStep(report)),
    allowed: new Markup(allowedText(report)),
  };
}

/** A count in a query; 0 for what is none. */
const numberIn = (value: unknown): number => (/^\d{1,9}$/.test(textIn(value)) ? Number(value) : 0);

async function reportAt(
  place: Place,
  { options, knowledge, host }: Pages,
  choice: FailedRowChoice,
): Promise<ImportReport> {
  const why = whyUnread(environmentNamed(place.environment, knowledge));
  if (why !== undefined)
    throw new DexsyncError('UNKNOWN_NAME', `The imports of ${place.environment} are not known.`, { hint: why });
  return importReport({ ...options, ...place, ...choice }, host);
}

async function sendWorkbook(request: ImportRequest, reply: FastifyReply, pages: Pages): Promise<FastifyReply> {
  const { environment, run } = request.params;
  const { folder, kept, import: known } = await reportAt(request.params, pages, { count: 0 });
  const file =
    kept === null ? undefined : await open(join(pages.host.cwd, folder, FAILED_WORKBOOK)).catch(() => undefined);
  if (file === undefined) throw nothing(`${FAILED_WORKBOOK} kept here of the import`, run);
  const { size } = await file.stat();
  report({ action: 'download-rows', of: `import ${run} of ${environment}` }, request as FastifyRequest, pages.host);
  return reply
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-length', size)
    .header('content-disposition', `attachment; filename="${workbookName(environment, known)}"`)
    .send(file.createReadStream({ end: Math.max(0, size - 1) }));
}
