import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { type ExpectedDrift, expectedDrift } from '../model/drift.js';
import { expectedPlan } from '../model/plan.js';
import { Violation } from '../violation.js';
import { answerOf, judgeCode, judgeRefusal, judgeWrites, topOf, topsOf } from './answers.js';

/** Law 3: `drift` names what people changed since each field's base was set: nothing is missing, nothing is invented. */
export async function judgeDrift(world: World, site: Site): Promise<undefined> {
  await world.service.newRequests();
  const ended = await world.run(site, 'drift', '--json');
  const place = world.placeOf(site);
  const plan = expectedPlan({ ...place, adopt: 'ask' });
  if ('error' in plan) return judgeRefusal(ended, plan.error);
  const expected = expectedDrift(place);
  const { objects, unknown } = answerOf(ended) as DriftSeen;
  const isAbout = (address: string) => (one: ExpectedDrift) => one.addresses.includes(address);
  for (const { address, what, fields } of objects) {
    const found = expected.find(isAbout(address));
    const said = topsOf(fields);
    world.note(`#   ${what} ${address}: ${said}`);
    if (found === undefined) throw new Violation(3, `drift invents ${what} ${address}: ${said}`);
    if (!found.what.includes(what))
      throw new Violation(3, `${address} is ${what} by drift, where ${found.what} is right.`);
    if (what === 'changed' && !isSaid(fields, found))
      throw new Violation(3, `drift shows ${said} of ${address}, where ${found.fields} is right.`);
  }
  for (const { addresses, what, fields, perhaps = [] } of expected)
    if (
      (fields.length > 0 || perhaps.length === 0) &&
      ![...objects.map(({ address }) => address), ...unknown].some((one) => addresses.includes(one))
    )
      throw new Violation(3, `drift does not show that ${addresses[0]} is ${what[0]}: ${fields}`);
  judgeWrites(await world.service.newRequests(), 0, 'drift');
  judgeCode(ended, objects.length > 0 ? 2 : 0, 'drift');
  return undefined;
}

function isSaid(shown: readonly { readonly path: string }[], { fields, perhaps = [] }: ExpectedDrift): boolean {
  const said = new Set(shown.map(({ path }) => topOf(path)));
  return (
    fields.every((field) => said.has(field)) && [...said].every((field) => [...fields, ...perhaps].includes(field))
  );
}

interface DriftSeen {
  /** Objects that cannot be distinguished from others. */
  readonly unknown: readonly string[];
  readonly objects: readonly {
    readonly address: string;
    readonly what: string;
    readonly fields: readonly { readonly path: string }[];
  }[];
}
