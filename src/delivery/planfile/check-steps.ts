import type { Catalog } from '#core/catalog.js';
import { importJob } from '#core/jobs/import.js';
import { checkSchema } from '#core/manifest/schema-check.js';
import { type Address, splitAddress } from '#core/model/address.js';
import { originsAt } from '#core/model/document.js';
import type { SchemaNode } from '#core/model/fields.js';
import type { JsonObject } from '#core/model/json.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';

/** Returns a sentence about an error in the steps beyond their shape, or undefined if there is none. */
export function checkSteps({ steps, summary }: Plan, catalog: Catalog): string | undefined {
  const before = new Set<Address>();
  for (const step of steps) {
    const { address, dependsOn } = step;
    if (before.has(address)) return `it has two steps for ${address}.`;
    const needed = dependsOn.find((one) => !before.has(one));
    if (needed !== undefined) return `${address} depends on ${needed}, which is not an earlier step.`;
    const wrong = checkStep(step, catalog);
    if (wrong !== undefined) return wrong;
    before.add(address);
  }
  const count = (action: string): number => steps.filter((step) => step.action === action).length;
  const miscounted = Object.keys(WRITES_OF).find((action) => count(action) !== (summary[action as Action] ?? 0));
  return miscounted === undefined ? undefined : `its summary and its steps have different counts of "${miscounted}".`;
}

type Verb = Write['verb'];

const CHILD_WRITES = ['addChild', 'updateChild', 'removeChild'] as const;

/** The writes that each action may send: reviewers rely on the actions of a plan. */
const WRITES_OF: Readonly<Record<Action, readonly Verb[]>> = {
  create: ['create', 'addChild', 'record'],
  update: ['update', ...CHILD_WRITES, 'record'],
  replace: ['retire', 'create', 'addChild', 'record'],
  delete: ['delete', 'record'],
  retire: ['retire', 'record'],
  rename: ['update', ...CHILD_WRITES, 'record'],
  adopt: ['record', 'import'],
  forget: ['record'],
  acknowledge: ['record'],
  import: ['import'],
  manual: [],
  blocked: [],
};

function checkStep(step: Step, catalog: Catalog): string | undefined {
  const { address, action, writes } = step;
  const type = catalog.manifestTypeNamed(splitAddress(address).kind);
  if (type === undefined) return `${address} has a kind that this version of dexsync does not know.`;
  const allowed = WRITES_OF[action];
  const strange = writes.find(({ verb }) => !allowed.includes(verb) || (verb === 'import') !== (type === importJob));
  if (strange !== undefined)
    return `${address} has a write "${strange.verb}" that does not fit its action "${action}".`;
  return writes.map((write) => checkWrite(write, step, catalog)).find((wrong) => wrong !== undefined);
}

function checkWrite(write: Write, step: Step, catalog: Catalog): string | undefined {
  const { address, action, liveName } = step;
  const { kind, name } = splitAddress(address);
  switch (write.verb) {
    case 'create':
      return checkCreation(write, step, catalog);
    case 'import':
      return checkSpec(write.request.spec, address, catalog.schemaOf(kind));
    case 'update':
      if (write.name !== name && write.name !== liveName)
        return `${address} is updated under the name "${write.name}".`;
      return unknownField(write.fields, address, catalog) ?? unseen(step);
    case 'retire':
      return unknownField(write.fields, address, catalog) ?? unseen(step);
    case 'delete':
      return write.name === (liveName ?? name) ? unseen(step) : `${address} deletes "${write.name}".`;
    case 'addChild':
    case 'updateChild':
    case 'removeChild':
      return checkChild(write, step, catalog) ?? (action === 'create' ? undefined : unseen(step));
    case 'record':
      return undefined;
  }
  return write satisfies never;
}

type ChildWrite = Extract<Write, { verb: (typeof CHILD_WRITES)[number] }>;

/** Checks the write of a list's entry: a value is sent whole, and a member only named. */
function checkChild(write: ChildWrite, { address }: Step, { kindNamed }: Catalog): string | undefined {
  const { children = {}, schema } = kindNamed(splitAddress(address).kind) ?? {};
  const list = Object.hasOwn(children, write.field) ? children[write.field] : undefined;
  if (list === undefined) return `${address} has no members "${write.field}".`;
  if (write.verb === 'removeChild') return undefined;
  const { field, entry } = write;
  if ((entry === undefined) === (list.ref === undefined))
    return `${address} writes an entry of "${field}" that this list cannot have.`;
  const { items }: SchemaNode = schema?.properties[field] ?? {};
  const unknown = Object.keys(entry ?? {}).find((one) => !Object.hasOwn(items?.properties ?? {}, one));
  return unknown === undefined ? undefined : `${address} has no field "${field}.${unknown}".`;
}

/** Checks a creation. A replacement also has values of the old object, which its manifest could not ask for. */
function checkCreation(write: Extract<Write, { verb: 'create' }>, { address, action }: Step, catalog: Catalog) {
  const schema = catalog.schemaOf(splitAddress(address).kind);
  const wrong = unknownField(write.back?.fields ?? {}, address, catalog);
  return wrong ?? (action === 'create' ? checkSpec(write.spec, address, schema) : undefined);
}

/** Requires a step that changes an object to identify it and to contain its observed state. */
const unseen = ({ address, observed, identity }: Step): string | undefined =>
  observed === undefined || identity === undefined ? `${address} does not contain the observed object.` : undefined;

function unknownField(fields: JsonObject, address: Address, { kindNamed }: Catalog): string | undefined {
  const known = kindNamed(splitAddress(address).kind)?.schema.properties ?? {};
  const field = Object.keys(fields).find((one) => !Object.hasOwn(known, one));
  return field === undefined ? undefined : `${address} has no field "${field}".`;
}

/** Checks a spec in the same way as those of manifests. */
function checkSpec(spec: unknown, address: Address, schema: object): string | undefined {
  const origin = { file: '', line: 1, column: 1, layer: '' };
  const [found] = checkSchema(spec, {
    schema,
    base: '',
    origins: originsAt(origin),
    name: address,
  });
  return found?.message;
}
