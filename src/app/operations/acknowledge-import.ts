import { DexsyncError } from '#base/errors.js';
import { shellWord } from '#base/shell-word.js';
import { type PartialImport, partialImports } from '#core/model/partial-imports.js';
import type { Summary } from '#core/stream/event.js';
import { findImport } from '#data/imports/find-import.js';
import { calledRun, type FoundImport } from '#data/imports/known-imports.js';
import { acknowledgeImportStep } from '#delivery/planning/command-steps.js';
import type { LedgerState } from '#ledger/fold.js';
import { authorText } from '#ledger/stored-plan.js';
import type { Config } from '#project/config/load-config.js';
import { currentAuthor } from '#project/connection/author.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { recordSteps } from './record-steps.js';

/** The import that stays partial, and the reason for accepting it. */
export interface AcknowledgeImportOptions extends ProjectOptions {
  /** The number of a run or the name of an import; may be one of its retries. */
  readonly run: string;
  readonly reason: string;
}

/**
 * Records that the failed rows of a committed import stay out of the workspace, so that plans no longer name them.
 * Sends no write. Throws USAGE if no rows of it are missing, and NOT_OWNED for an import of another stack.
 */
export async function acknowledgeImport(
  { run, reason, ...options }: AcknowledgeImportOptions,
  host: Host,
): Promise<Summary> {
  const config = await openConfig(options, host);
  const found = await findImport(config, { ...options, run }, host);
  const recorded = gatherFacts('import acknowledge', options, config, host);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const partial = partialOf(found, await connection.ledger.state());
    refuse(partial, config);
    const author = { ...currentAuthor(config, options.environment, host), login: connection.login.email };
    const { stack } = config;
    const said = { stack, at: host.clock().toISOString(), by: authorText(author), reason };
    return recordSteps([acknowledgeImportStep(partial, said)], { stack, recorded }, connection, host);
  });
}

/** Returns the partial import that was found, or the one whose failed rows it sent again. */
function partialOf(found: FoundImport, state: LedgerState): PartialImport {
  const all = new Map(partialImports([...state.imports.values()], state.acknowledged).map((one) => [one.key, one]));
  const seen = new Set<string>();
  for (let key: string | undefined = found.key; key !== undefined && !seen.has(key); ) {
    const partial = all.get(key);
    if (partial !== undefined) return partial;
    seen.add(key);
    key = state.imports.get(key)?.facts?.retries;
  }
  throw nothingMissing(found);
}

function refuse({ address, facts, acknowledgement }: PartialImport, config: Config): void {
  const stack = facts?.stack;
  if (stack !== undefined && stack !== config.stack) {
    throw new DexsyncError('NOT_OWNED', `${address} was sent by the stack "${stack}".`, {
      hint: `Run the command in the project of "${stack}".`,
    });
  }
  if (acknowledgement === undefined) return;
  const { by, at, reason } = acknowledgement;
  const message = `The missing rows of ${address} were already acknowledged by ${by} on ${at.slice(0, 10)}: ${reason}`;
  throw new DexsyncError('USAGE', message, {
    hint: `\`dexsync forget ${shellWord(address)}\` withdraws the acknowledgement.`,
  });
}

function nothingMissing({ address, state, job }: FoundImport): DexsyncError {
  const called = calledRun({ address, job });
  if (state === 'committed') {
    return new DexsyncError('USAGE', `No rows of ${called} are missing in the workspace.`, {
      hint: 'All of them were committed, or a later import replaced it. `dexsync import list` shows what is missing.',
    });
  }
  return new DexsyncError('USAGE', `${called} is not committed (${state}), so there are no failed rows to accept.`, {
    hint: `\`dexsync import show ${shellWord(String(job.runs[0]?.number ?? address))}\` shows its state.`,
  });
}
