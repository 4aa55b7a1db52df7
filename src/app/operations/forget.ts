import type { Summary } from '#core/stream/event.js';
import { forgetStep } from '#delivery/planning/command-steps.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { parseManifestAddress } from '#project/parse-address.js';
import { openConfig } from '#project/project.js';
import { recordSteps } from './record-steps.js';

/** The objects to give up. */
export interface ForgetOptions extends ProjectOptions {
  readonly addresses: readonly string[];
}

/** Gives up objects of this stack: they stay unchanged in the workspace, without an owner. */
export async function forget({ addresses, ...options }: ForgetOptions, host: Host): Promise<Summary> {
  const config = await openConfig(options, host);
  const given = [...new Set(addresses.map((text) => parseManifestAddress(text, config.catalog)))];
  const recorded = gatherFacts('forget', options, config, host);
  return withConnection(config, { ...options, access: 'record' }, host, async (connection) => {
    const state = await connection.ledger.state();
    const steps = given.map((address) => forgetStep(address, state, config.stack, connection.environment));
    return recordSteps(steps, { stack: config.stack, recorded }, connection, host);
  });
}
