import { documentOf } from '../harness/folder.js';
import { PATHS, ROWS } from '../harness/service.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { answerOf, judgeCode, judgeWrites, type PlanSeen } from '../laws/answers.js';
import { judgeWorkspace } from '../laws/workspace.js';
import type { Json } from '../model/kinds.js';
import { renameClash } from '../model/plan.js';
import { Violation } from '../violation.js';
import { type Judged, type Operation, operation } from './operation.js';

/** The definition that maps an attribute: no model has it among the objects. */
const definitionOf = (attribute: string): string => `${ROWS} with ${attribute}`;

const addressFor = (attribute: string): string => `ImportDefinition/${definitionOf(attribute)}`;

const ATTRIBUTES = '/settings/items/attributes';
const ADMINISTRATION = '/embedded/attributes';

const mappingOf = (attribute: string) => [
  { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' },
  { resource: 'ITEM_SPECS', attribute, sourceName: attribute },
];

function ask(world: World, site: Site, attribute: string): void {
  const spec = { resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: { mapping: mappingOf(attribute) } };
  const document = documentOf({ kind: 'ImportDefinition', name: definitionOf(attribute), spec });
  world.write(site, [['manifests/attribute.yaml', document]]);
}

/**
 * Somebody deletes an attribute that a definition maps, and recreates it: without it nothing is sent, and a definition
 * that points to the old one is replaced once (laws 1 and 2; wire-facts, section 0).
 */
async function judgeAttribute(world: World, site: Site): Judged {
  if (world.sites.some(({ model }) => renameClash(model) !== undefined)) return 'skipped';
  const { random, service, workspace } = world;
  const name = `Grade ${random.below(1_000_000)}`;
  const address = addressFor(name);
  await create(world, name);
  ask(world, site, name);
  await apply(world, site, address);
  const guid = await guidOf(world, name);
  await service.administrate('DELETE', `${ADMINISTRATION}/${guid}`);
  world.note(`# somebody deletes the attribute "${name}"`);
  await service.newRequests();
  judgeCode(await world.run(site, 'apply', '--yes', '--json', '--only', address), 3, 'apply without the attribute');
  judgeWrites(await service.newRequests(), 0, 'apply without the attribute');
  await create(world, name);
  const action = workspace.dialect === 'reference' ? 'replace' : undefined;
  await judgeStep(world, site, address, action);
  await apply(world, site, address);
  await judgeStep(world, site, address, undefined);
  await judgeMapping(world, name);
  judgeCode(await world.run(site, 'forget', address, '--json'), 0, 'forget');
  world.write(site);
  return judgeWorkspace(world);
}

async function create(world: World, name: string): Promise<void> {
  const body = { world: 'ITEMS', name, fieldType: 'SINGLE_LINE_TEXT' };
  const { status, body: answer } = await world.service.administrate('POST', ADMINISTRATION, body);
  if (status !== 201) throw new Violation(0, `POST ${ADMINISTRATION}: ${status} ${JSON.stringify(answer)}`);
  world.note(`# somebody creates the attribute "${name}"`);
}

async function apply(world: World, site: Site, address: string): Promise<void> {
  judgeCode(await world.run(site, 'apply', '--yes', '--json', '--only', address), 0, `apply of ${address}`);
}

/** The plan has this action, or none. */
async function judgeStep(world: World, site: Site, address: string, action: string | undefined): Promise<void> {
  const ended = await world.run(site, 'plan', '--json', '--only', address);
  const [step] = (answerOf(ended) as PlanSeen).steps;
  if (step?.action !== action)
    throw new Violation(2, `The plan has ${step?.action} ${address}, where ${action} is right.`);
}

const guidOf = async ({ service }: World, name: string): Promise<Json | undefined> =>
  (await service.list(ATTRIBUTES)).find((one) => one.name === name)?.guid;

/** The definition maps the attribute that is there now. */
async function judgeMapping(world: World, name: string): Promise<void> {
  const { service, workspace } = world;
  const definition = (await service.list(PATHS.ImportDefinition)).find((one) => one.name === definitionOf(name));
  const { body } = await service.call('GET', `${PATHS.ImportDefinition}/${definition?.guid}`);
  const right = String(workspace.dialect === 'reference' ? await guidOf(world, name) : name);
  if (!JSON.stringify(body.options).includes(JSON.stringify(right)))
    throw new Violation(2, `${definitionOf(name)} maps ${JSON.stringify(body.options)}, where ${right} is right.`);
}

/** What administrators do to attributes. */
export const ATTRIBUTE: readonly Operation[] = [operation('attribute deleted and created anew', 3, judgeAttribute)];
