import type { SeenObject } from '../harness/service.js';
import type { World } from '../harness/world.js';
import { sameValue } from '../model/kinds.js';
import { differing, type LiveObject, rename, type Workspace } from '../model/world.js';
import { Violation } from '../violation.js';
import { judgeRecords } from './rows.js';

/** Laws 1 and 2: the workspace is what the model says, object by object, field by field. */
export async function judgeWorkspace(world: World): Promise<undefined> {
  const { workspace, service } = world;
  await judgeRecords(world);
  const seen = await service.objects();
  const left = new Set(seen);
  const take = (object: LiveObject, found: SeenObject | undefined): SeenObject => {
    if (found === undefined) throw new Violation(1, `${object.kind} "${object.name}" is missing in the workspace.`);
    left.delete(found);
    object.guid = found.guid;
    return found;
  };
  const byGuid = new Map(seen.map((one) => [one.guid, one]));
  const known = workspace.live.filter(({ guid }) => guid !== undefined);
  const pairs = known.map((object) => [object, take(object, byGuid.get(object.guid ?? ''))] as const);
  const fresh = workspace.live
    .filter(({ guid }) => guid === undefined)
    .map((object) => {
      const alike = [...left].filter((one) => one.kind === object.kind && mayBe(object, one.name));
      const found = alike.find(({ fields }) => differing(object.fields, fields).length === 0) ?? alike[0];
      return [object, take(object, found)] as const;
    });
  for (const one of left) throw new Violation(1, `${one.kind} "${one.name}" is in the workspace, and nobody made it.`);
  for (const [object, found] of [...pairs, ...fresh]) judgeObject(workspace, object, found);
  return undefined;
}

/** Whether an object has the name, or one like it that a plan chose which nobody saw. */
const mayBe = ({ name, retiredFrom }: LiveObject, found: string): boolean =>
  found === name || (retiredFrom !== undefined && found.startsWith(`${retiredFrom} ~retired`));

function judgeObject(workspace: Workspace, object: LiveObject, found: SeenObject): void {
  const which = `${object.kind} "${object.name}"`;
  if (object.retiredFrom !== undefined && mayBe(object, found.name)) {
    rename(workspace, object, found.name);
    delete object.retiredFrom;
  }
  if (object.name !== found.name) throw new Violation(1, `${which} is called "${found.name}".`);
  for (const [field, value] of Object.entries(object.fields)) {
    const is = found.fields[field];
    if (!sameValue(value, is))
      throw new Violation(1, `${field} of ${which} is ${JSON.stringify(is)}, where ${JSON.stringify(value)} is right.`);
  }
}
