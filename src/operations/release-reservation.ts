import { carryOut } from '../apply/carry-out.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { recording } from '../connection/recording.js';
import { digest } from '../engine/normal-form.js';
import { planOf } from '../engine/plan.js';
import type { Host, ProjectOptions } from '../host.js';
import { isPartOf, numberReservation } from '../kinds/number-reservation.js';
import { notInWorkspace } from '../live/not-in-workspace.js';
import { type Address, addressOf } from '../model/address.js';
import { type JsonObject, textsIn } from '../model/json.js';
import type { Plan, Step } from '../model/plan.js';
import { openProject } from '../project/project.js';
import { listCollection } from '../service/border.js';
import { Identities } from '../service/identities.js';
import type { Summary } from '../stream/events.js';

export interface ReleaseOptions extends ProjectOptions {
  readonly name: string;
  /** Asked with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: (plan: Plan) => Promise<boolean>;
}

/** Gives back the numbers of a reservation and of its further ones. The service has no undo: others may take them at once. */
export async function releaseReservation(options: ReleaseOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const recorded = recording('reservations release', options, config, host);
  const described = new Set(linked.manifests.map(({ address }) => address));
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const parts = await partsOf(options.name, described, connection);
    const identities = new Identities(connection.client.profile);
    for (const { name, guid } of parts) identities.enter(numberReservation.name, [String(name)], String(guid));
    const { client, workspace, environment } = connection;
    const plan = planOf([stepFor(options.name, parts)], {
      stack: config.stack,
      unchanged: 0,
      environment,
      workspace,
      manifests: [],
      jobs: [],
      requests: { used: client.usage.used, remaining: client.usage.remaining },
      nonce: host.nonce(),
      createdAt: host.clock().toISOString(),
    });
    host.emit({ type: 'plan', plan, reset: client.usage.reset });
    if (!(await options.confirm(plan))) return undefined;
    return carryOut({ plan, identities, jobs: [], recorded }, connection, host);
  });
}

/** A further reservation that has a manifest of its own is left to that. */
async function partsOf(
  name: string,
  described: ReadonlySet<Address>,
  { client, workspace }: Connection,
): Promise<JsonObject[]> {
  const all = await listCollection(client, numberReservation.collection);
  const isOwn = (one: string): boolean => one === name || !described.has(addressOf(numberReservation.name, one));
  const parts = all.filter((one) => isPartOf(String(one.name), name) && isOwn(String(one.name)));
  if (parts.some((one) => one.name === name)) return parts;
  const known = all.map((one) => String(one.name));
  throw notInWorkspace(addressOf(numberReservation.name, name), { name, known }, workspace);
}

function stepFor(name: string, parts: readonly JsonObject[]): Step {
  const numbers = parts.flatMap(({ itemNumbers }) => textsIn(itemNumbers));
  const origin = { file: 'command line', line: 1, column: 1, layer: 'command line' };
  return {
    address: addressOf(numberReservation.name, name),
    action: 'delete',
    reason: 'asked',
    message: `${numbers.length} ${numbers.length === 1 ? 'number is' : 'numbers are'} given back; others may take them at once.`,
    fields: numbers.map((number) => ({ path: `itemNumbers[${number}]`, before: number })),
    writes: parts.map((part) => ({ verb: 'delete', name: String(part.name) })),
    dependsOn: [],
    fingerprint: digest(numbers),
    fact: null,
    origin,
  };
}
