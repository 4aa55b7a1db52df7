import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability } from '#core/model/observation.js';
import type { Profile } from '#service/profiles/profile.js';
import { PROFILES } from '#service/profiles/profiles.js';
import { testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { capabilityOf } from './kinds-table.js';

const examples = readdirSync('examples/kinds').filter(
  (file) => file.endsWith('.yaml') && !/^import(-files|-sourcing)?\.yaml$/.test(file),
);

/** A workspace that holds every example that can be created there. */
async function workspaceWithExamples({ name }: Profile): Promise<TestWorkspace> {
  const workspace = await testWorkspace([], name);
  const files = examples.map((file) => [`manifests/${file}`, readFileSync(`examples/kinds/${file}`, 'utf8')]);
  const project = await testProject(Object.fromEntries(files));
  const applied = await project.run(['apply', '--yes', '--manual', 'warn'], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, '']);
  return workspace;
}

type Answer = Awaited<ReturnType<TestWorkspace['call']>>;

/** Only these mean that there is no such endpoint (design, section 6). */
const isKnown = ({ status, body }: Answer): boolean => status !== 405 && body?.errors?.[0]?.code !== 404;

/** What the service does, found out by requests: the cells of the table of kinds. */
async function found(kind: Kind, profile: Profile, { administer }: TestWorkspace): Promise<Partial<Capability>> {
  const path = profile.collections[kind.collection]?.path ?? '';
  const listed = await administer('GET', `${path}?limit=400`);
  const [object] = listed.body.results ?? [{ guid: 'AAAAAAAAAAAAAAAAAAAA', name: 'x' }];
  const own = `${path}/${object.guid}`;
  const children: string[] = [];
  for (const [field, { path: below }] of Object.entries(kind.children)) {
    const added = isKnown(await administer('POST', `${own}/${below}`, {}));
    const removed = isKnown(await administer('DELETE', `${own}/${below}/${object.guid}`));
    if (added && removed) children.push(field);
  }
  return {
    list: isKnown(listed),
    create: isKnown(await administer('POST', path, {})),
    update: await updatable(kind, object, own, administer),
    children,
    delete: isKnown(await administer('DELETE', own)),
  };
}

/** The fields that an update takes: each is sent as it is, beside the name and what else an update must have. */
async function updatable(
  kind: Kind,
  object: JsonObject,
  own: string,
  administer: TestWorkspace['administer'],
): Promise<string[]> {
  const body = asSent(kind, object);
  const sends = async (fields: readonly string[]): Promise<boolean> => {
    const sent = Object.fromEntries(fields.map((field) => [field, body[field] ?? null]));
    return (await administer('PUT', own, sent)).status < 300;
  };
  if (!isKnown(await administer('PUT', own, {}))) return [];
  const needed = ['name', ...(kind.schema.required ?? []), ...((await sends(['name'])) ? [] : Object.keys(body))];
  const base = (await sends(['name'])) ? ['name'] : [...new Set(needed)];
  const taken: string[] = [];
  for (const field of ['name', ...Object.keys(kind.schema.properties)]) {
    if (!(field in kind.children) && (await sends([...new Set([...base, field])]))) taken.push(field);
  }
  return taken;
}

/** An answered object as the body of a request: references keep their GUIDs and lose the names beside them. */
function asSent(kind: Kind, object: JsonObject): JsonObject {
  const same = (text: string): string => text;
  const context = {
    nameOf: (_: string, guid: string) => guid,
    guidOf: (_: string, name: string) => name,
    attributeFromWire: same,
    attributeToWire: same,
  };
  return { name: object.name ?? null, ...kind.toWire(kind.fromWire(object, context), context) };
}

describe.each(PROFILES.map((profile) => [profile.name, profile] as const))('the profile %s', (_, profile) => {
  test('says for every kind what the service lists, creates, updates and deletes', async () => {
    const workspace = await workspaceWithExamples(profile);
    for (const kind of builtIn.kinds) {
      const { list, create, update, children = [], delete: deleted } = capabilityOf(profile, kind);
      const told = { list, create, update: [...update], children: [...children], delete: deleted };
      expect.soft([kind.name, await found(kind, profile, workspace)]).toEqual([kind.name, told]);
    }
  });
});
