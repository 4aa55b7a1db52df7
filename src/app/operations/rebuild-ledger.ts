import { hasWrites, type Plan, type Step } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import { executePlan } from '#delivery/apply/execute-plan.js';
import { type Ask, isAgreed } from '#delivery/planfile/consent.js';
import { showPlan, withPlan } from '#delivery/planning/plan-manifests.js';
import { selectManifests } from '#delivery/planning/select-manifests.js';
import { unplannedFacts } from '#delivery/planning/unplanned-changes.js';
import { checkLedger, intactState } from '#ledger/check-ledger.js';
import { stateRecords } from '#ledger/fold.js';
import { acceptedLossReason, findLoss } from '#ledger/head.js';
import { isMoved, rebuiltNonce } from '#ledger/journal-name.js';
import { findForeignJournalInStore } from '#ledger/journal-origin.js';
import { ledgerMovedError } from '#ledger/read-journal.js';
import { saveState } from '#ledger/read-state.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import { planOfSteps } from '#project/connection/plan-steps.js';
import { type LedgerEvent, recordLedgerEvent } from '#project/connection/record-ledger-event.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openProject } from '#project/project.js';

/** Who is asked before objects are entered as owned by this stack. */
export interface RebuildOptions extends ProjectOptions {
  readonly confirm: Ask<Plan>;
}

/**
 * Repairs a ledger: keeps everything that can still be read, then adds facts of the workspace (design, section 7):
 * objects that match their manifests, and imports that its runs show to be committed. Sends no write. Returns undefined
 * if nobody confirmed the second part.
 */
export async function rebuildLedger(options: RebuildOptions, given: Host): Promise<Summary | undefined> {
  const host: Host = { ...given, goesOnAfterLoss: true };
  const { config, linked } = await openProject(options, host);
  const selection = selectManifests(linked, {}, config.catalog);
  const recorded = gatherFacts('ledger rebuild', options, config, host);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    await keepIntact({ stack: config.stack, recorded }, options.reason, connection, host);
    const request = { config, selection, options: { adopt: 'matching' as const }, connection, host };
    return withPlan(request, async ({ plan: whole, jobs, seen: { identities }, input }) => {
      const plan = planOfSteps(whole.steps.filter(isRecordOnly), config.stack, connection, host);
      showPlan(plan, connection, host);
      if (hasWrites(plan) && !(await isAgreed(plan, options, connection, host))) return undefined;
      const learned = hasWrites(plan) ? unplannedFacts(input, whole) : [];
      return executePlan({ plan, identities, jobs, recorded, learned }, connection, host);
    });
  });
}

/** Whether nothing of the step is sent. */
const isRecordOnly = ({ writes }: Step): boolean =>
  writes.length > 0 &&
  writes.every((write) => write.verb === 'record' || (write.verb === 'import' && write.done !== undefined));

/** Leaves damage behind by entering a journal with all intact records: nothing before it is read afterwards. */
async function keepIntact(
  of: Pick<LedgerEvent, 'stack' | 'recorded'>,
  why: string | undefined,
  connection: Connection,
  host: Host,
): Promise<void> {
  const { journals } = connection.kept;
  const last = (await journals.names()).at(-1);
  if (last !== undefined && isMoved(last)) throw await ledgerMovedError(journals, last);
  const foreign = await findForeignJournalInStore(journals);
  if (foreign !== undefined) throw foreign;
  const { problems } = await checkLedger(journals);
  if (problems.length === 0) return;
  for (const { message } of problems)
    host.emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'ledger-damaged', message } });
  const records = stateRecords(await intactState(journals), host.clock().toISOString());
  const loss = await findLoss(journals);
  await journals.head?.forget();
  const reason = loss === undefined ? {} : { reason: acceptedLossReason(loss.journal, why) };
  // Entered whole or not at all: a journal with a part of them would hide the rest.
  await recordLedgerEvent(journals, { ...of, ...reason, nonceOf: rebuiltNonce, records }, connection, host);
  await saveState(journals);
}
