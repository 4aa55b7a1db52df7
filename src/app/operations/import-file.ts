import { resolve } from 'node:path';
import { withSpool } from '#base/files/spool-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { type Bound, bind } from '#core/engine/bind.js';
import { type Linked, link } from '#core/engine/link.js';
import { importDefinition, parseImportDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import { nameOfRuns } from '#core/model/job-state.js';
import type { Observed } from '#core/model/observation.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { findFile } from '#data/bulk/source/find-file.js';
import { type Definition, definitionContent } from '#data/imports/definition.js';
import { type FileImport, manifestOfFile } from '#data/imports/file-manifest.js';
import type { JobInput } from '#data/imports/job-facts.js';
import { prepareJob } from '#data/imports/prepare-job.js';
import { runHistory } from '#data/imports/run-history.js';
import { type Confirmation, confirmationIn } from '#delivery/planfile/consent.js';
import { type Consent, combineGuards } from '#delivery/planning/combine-guards.js';
import { EMPTY_READ_REQUEST, readWorkspace, type Seen } from '#delivery/planning/read-workspace.js';
import { dataFolder } from '#project/config/environment.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findUniqueByName } from '#project/live/find-unique-by-name.js';
import { emitDiagnostics, openProject } from '#project/project.js';
import { applyImport, type SingleImportRequest } from './send-import.js';

/** One file to import, and who is asked. */
export interface ImportFileOptions extends ProjectOptions, Consent, FileImport {
  /** False to post the rows and leave them to the service; `import resume` continues. */
  readonly wait?: boolean;
  /** Key of the content whose failed rows are sent again. */
  readonly retries?: string;
  /** Asked with the plan. Where nobody can be asked, rows are sent only to workspaces that are not production. */
  readonly confirm: Confirmation<Plan>;
}

/**
 * Sends one file through a definition of the workspace, as a plan of one step with a journal. Uses the live definition:
 * only `apply` applies changes of its manifest. Returns undefined if nobody confirmed.
 */
export async function importFile(given: ImportFileOptions, host: Host): Promise<Summary | undefined> {
  const { path, file } = await findFile(resolve(host.cwd, given.source.file), given.source);
  const options = { ...given, source: { ...given.source, file } };
  const { config, linked } = await openProject(options, host);
  const confirm =
    typeof options.confirm === 'function' ? options.confirm : confirmationIn(config, options, 'no rows are sent', host);
  const recorded = gatherFacts('import', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const manifest = manifestOfFile(options);
    const alone = onlyDefinition(linked, manifest, options.definition, config.catalog);
    const seen = await readWorkspace(alone, EMPTY_READ_REQUEST, connection, host);
    const live = liveDefinition(seen, options.definition, connection);
    const binding = bind(alone.manifests, seen.observation, config.catalog.schemaOf, connection.environment);
    emitDiagnostics(host, config.folder, binding.diagnostics);
    return withSpool(dataFolder(config), async (spool) => {
      const folder = await spool.path();
      const definition = definitionOf(binding.bound, live);
      const guarding = combineGuards(config, connection.environment, linked.described, options);
      const { files } = options.source;
      const filesPath = files === undefined ? {} : { filesPath: resolve(host.cwd, files) };
      const source = { path, ...filesPath, folder, definition, project: config };
      return send({ manifest, ...source }, { options, confirm, guarding, seen, recorded, connection, host });
    });
  });
}

function onlyDefinition({ manifests }: Linked, manifest: Manifest, definition: string, { schemaOf }: Catalog): Linked {
  const described = manifests.filter(
    ({ kind, metadata }) => kind === importDefinition.name && metadata.name === definition,
  );
  return link([...described, manifest], schemaOf);
}

function liveDefinition({ observation }: Seen, name: string, { environment }: Connection): Observed {
  const all = observation.objects.get(importDefinition.name) ?? [];
  const hint = 'If its manifest is not applied yet, run `dexsync apply` first.';
  return findUniqueByName(all, { address: addressOf(importDefinition.name, name), name, hint }, environment, 'rename');
}

/** The live definition. If it matches its manifest, its rows count as those of an Import manifest. */
function definitionOf(bound: readonly Bound[], { spec }: Observed): Definition {
  const described = bound.find(({ manifest }) => manifest.kind === importDefinition.name);
  return { spec: parseImportDefinition(spec), content: definitionContent(spec, [described?.desired]) };
}

interface SendContext extends Omit<SingleImportRequest, 'stack' | 'imports'> {
  readonly options: ImportFileOptions;
  readonly connection: Connection;
  readonly host: Host;
}

async function send(
  source: Pick<JobInput, 'manifest' | 'path' | 'filesPath' | 'folder' | 'project' | 'definition'>,
  { options, connection, host, ...request }: SendContext,
): Promise<Summary | undefined> {
  const { seen } = request;
  const { observation } = seen;
  const state = await connection.ledger.state();
  const history = runHistory(connection.client, seen.identities, state);
  const asked = options.again === 'forced' ? {} : { history };
  const { retries } = options;
  const input = {
    ...{ ...source, ...asked, observation, workspace: connection.workspace.name, state, host },
    ...omitUndefined({ retries }),
  };
  const job = await prepareJob(input);
  const { state: before, ...facts } = job.facts;
  const retried = before?.state === 'rejected' || (before?.state === 'validated' && facts.commits !== 'never');
  if ((before?.state === 'committed' || before?.state === 'validated') && !retried && facts.when === 'changed') {
    const { state: was, at, rows, failed } = before;
    const runs = nameOfRuns(before.runs);
    const { address } = source.manifest;
    host.emit({ type: 'settled', address, state: was, at, rows, failed, ...omitUndefined({ runs }) });
  }
  const imports = options.wait === false ? ('sent' as const) : ('whole' as const);
  const sending = { ...request, stack: source.project.stack, imports };
  return applyImport(retried ? { ...job, facts } : job, sending, connection, host);
}
