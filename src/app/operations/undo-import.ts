import { relative } from 'node:path';
import { withSpool } from '#base/files/spool-folder.js';
import { bind } from '#core/engine/bind.js';
import { type Linked, link } from '#core/engine/link.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { findAmongImports } from '#data/imports/find-import.js';
import type { FoundImport } from '#data/imports/known-imports.js';
import { calledRun } from '#data/imports/known-imports.js';
import { checkUndo, findBeforeImage } from '#data/imports/undo/find-before-image.js';
import { type PreparedUndo, prepareUndo } from '#data/imports/undo/prepare-undo.js';
import { readOriginal, undoManifests } from '#data/imports/undo/undo-manifests.js';
import type { Ask } from '#delivery/planfile/consent.js';
import { type Consent, combineGuards } from '#delivery/planning/combine-guards.js';
import { EMPTY_READ_REQUEST, readWorkspace, type Seen } from '#delivery/planning/read-workspace.js';
import { undoPlan } from '#delivery/planning/undo-plan.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import { type CommandFacts, gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { emitDiagnostics, openProject } from '#project/project.js';
import { applyAgreed } from './apply.js';

/** The import to undo, and who is asked. */
export interface UndoOptions extends ProjectOptions, Consent {
  /** The number of a run, or the name of an import. */
  readonly run: string;
  /** The folder of the before image, if it is not that of the report. */
  readonly image?: string;
  /** False if nobody takes time to review the plan: the records are not read again then. */
  readonly attended?: boolean;
  /** Asked once, with the plan that was shown. */
  readonly confirm: Ask<Plan>;
}

/**
 * Undoes a committed import from its before image: restores records that it changed and removes those that it created,
 * as a plan of imports. Keeps and names records that somebody changed since. Returns undefined if nobody confirmed.
 */
export async function undoImport(options: UndoOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const { found, known } = await findAmongImports(config, options, host);
  checkUndo(found);
  const given = options.image === undefined ? {} : { given: options.image };
  const image = await findBeforeImage(found, { project: config, cwd: host.cwd, ...given });
  const original = await readOriginal(found, image);
  const recorded = gatherFacts('import undo', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const { schemaOf } = config.catalog;
    const seen = await readWorkspace(
      link(undoManifests(found, original), schemaOf),
      EMPTY_READ_REQUEST,
      connection,
      host,
    );
    return withSpool(dataFolder(config), async (spool) => {
      const place = { image, original, spool: await spool.path(), project: config };
      const undo = await prepareUndo({ found, known, seen, ...place }, connection, host);
      try {
        return await applyUndo({ undo, found, config, linked, seen, recorded, options }, connection, host);
      } finally {
        undo.close();
      }
    });
  });
}

interface UndoContext {
  readonly undo: PreparedUndo;
  readonly found: FoundImport;
  readonly config: Config;
  /** The manifests of the project. */
  readonly linked: Linked;
  readonly seen: Seen;
  readonly recorded: CommandFacts;
  readonly options: UndoOptions;
}

async function applyUndo(
  { undo, found, config, linked: project, seen, recorded, options }: UndoContext,
  connection: Connection,
  host: Host,
): Promise<Summary | undefined> {
  const { jobs, notUndone } = undo;
  const { catalog, stack } = config;
  const linked = link([...undo.definitions, ...jobs.map(({ manifest }) => manifest)], catalog.schemaOf);
  const { bound, diagnostics } = bind(linked.manifests, seen.observation, catalog.schemaOf, connection.environment);
  emitDiagnostics(host, config.folder, diagnostics);
  const plan = undoPlan(
    {
      ...{ linked, seen, stack, jobs: jobs.map(({ facts }) => facts) },
      bound: bound.filter(({ manifest }) => catalog.kindNamed(manifest.kind) !== undefined),
      guarding: combineGuards(config, connection.environment, project.described, options),
      ...(notUndone === undefined
        ? {}
        : {
            notUndone: {
              ...notUndone,
              called: calledRun(found),
              file: relative(host.cwd, notUndone.file),
              key: found.key,
            },
          }),
    },
    connection,
    host,
  );
  const ready = { plan, identities: seen.identities, jobs, recorded };
  const { attended, confirm: ask } = options;
  const confirm: Ask<Plan> = async (asked, where) => {
    if (!(await ask(asked, where))) return false;
    if (attended !== false) await undo.refuseChanged();
    return true;
  };
  return applyAgreed(ready, { confirm, attended }, connection, host);
}
