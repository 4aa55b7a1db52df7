import { withConnection } from '../connection/connection.js';
import { recording } from '../connection/recording.js';
import { COMMAND_LINE } from '../diagnostics.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import type { LedgerState } from '../ledger/fold.js';
import type { Address } from '../model/address.js';
import type { Step } from '../model/plan.js';
import { nearestHint } from '../nearest.js';
import { parseAddress } from '../project/parse-address.js';
import { openConfig } from '../project/project.js';
import type { Summary } from '../stream/events.js';
import { recordPlan } from './record-plan.js';

export interface ForgetOptions extends ProjectOptions {
  readonly addresses: readonly string[];
}

/** Gives up objects of this stack: they stay in the workspace as they are, and nobody owns them any more. */
export async function forget({ addresses, ...options }: ForgetOptions, host: Host): Promise<Summary> {
  const given = [...new Set(addresses.map((text) => parseAddress(text).address))];
  const config = await openConfig(options, host);
  const recorded = recording('forget', options, config, host);
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const { objects } = await connection.ledger.state();
    const steps = given.map((address) => stepFor(address, objects, config.stack, connection.workspace.name));
    return recordPlan(steps, { stack: config.stack, recorded }, connection, host);
  });
}

function stepFor(address: Address, facts: LedgerState['objects'], stack: string, workspace: string): Step {
  const fact = facts.get(address);
  if (fact === undefined) throw unknown(address, facts, stack, workspace);
  if (fact.stack !== stack) throw ofAnother(address, fact.stack, stack);
  return {
    address,
    action: 'forget',
    reason: 'asked',
    message: `This stack ${fact.how === 'created' ? 'made' : 'adopted'} it and gives it up; it stays in the workspace as it is.`,
    fields: [],
    writes: [{ verb: 'record' }],
    dependsOn: [],
    fingerprint: 'absent',
    fact: null,
    origin: COMMAND_LINE,
  };
}

function unknown(address: Address, facts: LedgerState['objects'], stack: string, workspace: string): DexsyncError {
  const own = [...facts].filter(([, fact]) => fact.stack === stack).map(([known]) => known);
  return new DexsyncError('NOT_OWNED', `The stack "${stack}" does not own ${address} in workspace "${workspace}".`, {
    hint: own.length === 0 ? 'It owns nothing there.' : nearestHint(address, own),
  });
}

const ofAnother = (address: Address, owner: string, stack: string): DexsyncError =>
  new DexsyncError('NOT_OWNED', `${address} belongs to the stack "${owner}", not to "${stack}".`, {
    hint: `Run \`dexsync forget\` in the project of "${owner}", or take it over with \`dexsync adopt ${JSON.stringify(address)} --from ${owner}\`.`,
  });
