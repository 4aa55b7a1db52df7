import { isPartOf, numberReservation } from '#core/kinds/number-reservation.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { Summary } from '#core/stream/event.js';
import type { Ask } from '#delivery/planfile/consent.js';
import { releaseStep } from '#delivery/planning/command-steps.js';
import { gatherFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import { planOfSteps } from '#project/connection/plan-steps.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { notInWorkspace, unreadable } from '#project/live/not-in-workspace.js';
import { openProject } from '#project/project.js';
import { Identities } from '#service/identities.js';
import { listCollection } from '#service/odd-entries.js';
import { applyAgreed } from './apply.js';

/** The reservation to release, and who is asked. */
export interface ReleaseOptions extends ProjectOptions {
  readonly name: string;
  /** Asked with the plan that was shown. Anything but true ends the operation without a write. */
  readonly confirm: Ask<Plan>;
}

/** Releases numbers of a reservation and its further ones. The service has no undo: others may take them at once. */
export async function releaseReservation(options: ReleaseOptions, host: Host): Promise<Summary | undefined> {
  const { config, linked } = await openProject(options, host);
  const recorded = gatherFacts('reservations release', options, config, host);
  const described = new Set(linked.manifests.map(({ address }) => address));
  return withConnection(config, { ...options, access: 'write' }, host, async (connection) => {
    const parts = await partsOf(options.name, described, connection);
    const identities = new Identities(connection.client.profile);
    for (const { name, guid } of parts) identities.enter(numberReservation.name, [String(name)], String(guid));
    const { confirm } = options;
    const steps = [releaseStep(options.name, parts)];
    const plan = planOfSteps(steps, config.stack, connection, host);
    return applyAgreed({ plan, identities, jobs: [], recorded }, { confirm, attended: false }, connection, host);
  });
}

/** Finds the reservation and its further ones, except those with manifests of their own. */
async function partsOf(
  name: string,
  described: ReadonlySet<Address>,
  { client, environment }: Connection,
): Promise<JsonObject[]> {
  const { objects: all, odd } = await listCollection(client, numberReservation.collection);
  const isOwn = (one: string): boolean => one === name || !described.has(addressOf(numberReservation.name, one));
  const unusable = odd.find(({ body }) => isPartOf(String(body.name), name));
  if (unusable !== undefined) throw unreadable(addressOf(numberReservation.name, name), unusable.why);
  const parts = all.filter((one) => isPartOf(String(one.name), name) && isOwn(String(one.name)));
  if (parts.some((one) => one.name === name)) return parts;
  const known = all.map((one) => String(one.name));
  throw notInWorkspace(addressOf(numberReservation.name, name), { name, known }, environment);
}
