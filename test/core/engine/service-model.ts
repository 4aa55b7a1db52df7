import { builtIn } from '#core/catalog.js';
import { type Address, addressOf } from '#core/model/address.js';
import { type Json, type JsonObject, textsIn } from '#core/model/json.js';
import { deadReference, type Kind } from '#core/model/kind.js';
import type { Capability, Observation, Observed } from '#core/model/observation.js';
import type { Profile } from '#service/profiles/profile.js';

/** One object of the service. Fields that refer to other managed objects hold their ids. */
export interface Stored {
  readonly id: string;
  readonly kind: string;
  readonly number: number | undefined;
  readonly name: string;
  readonly spec: JsonObject;
}

/** What the service fills in (wire-facts, sections 4 to 7), written down here a second time on purpose. */
const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  UserGroup: { description: '', enabled: true, assignability: [], members: [] },
  Trigger: { description: '', attributes: [], conditions: [] },
  OutboundIntegration: { enabled: true, triggers: [], administrators: [] },
  Policy: { description: '', enabled: true, userGroups: [], rules: [] },
  ImportDefinition: { options: { matchDuplicates: 'ERROR', stripWhiteSpace: 'STRIP' } },
  ExtractDefinition: { enabled: true, type: 'FULL' },
  NumberReservation: { itemNumbers: [] },
};

export const KINDS = Object.keys(DEFAULTS);

const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  UserGroup: ['members'],
  OutboundIntegration: ['triggers', 'administrators'],
};

/** Fields that hold ids, and of what. */
export const POINTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OutboundIntegration: { triggers: 'Trigger' },
  Policy: { userGroups: 'UserGroup' },
};

const NUMBERED = ['ImportDefinition'];

const LOOKUPS: Observation['lookups'] = new Map([
  ['User', [['ann@x', 'Ann'], ['bo@x', 'Bo'], ['cy@x']]],
  ['Category:ITEMS', [['Item\\Resistor', 'Resistor'], ['Item\\Screw']]],
  ['Attribute:ITEMS', [['RoHS'], ['Weight']]],
]);

/** A write that the service does not take, or that no write of ours may be. */
export class Refused extends Error {}

/** The service as a few maps: what a request does to the objects, and nothing of how a request looks. */
export class ServiceModel {
  readonly #profile: Profile;
  readonly #objects: Map<string, Stored>;
  #count: number;
  /** How many requests it received since it was copied. */
  requests = 0;

  constructor(profile: Profile, from?: ServiceModel) {
    this.#profile = profile;
    this.#objects = new Map(from === undefined ? [] : from.#objects);
    this.#count = from === undefined ? 0 : from.#count;
  }

  copy(): ServiceModel {
    return new ServiceModel(this.#profile, this);
  }

  can(kind: string): Capability {
    return this.#profile.collections[(builtIn.kindNamed(kind) as Kind).collection]?.can as Capability;
  }

  all(): readonly Stored[] {
    return [...this.#objects.values()];
  }

  named(kind: string, name: string): readonly Stored[] {
    return this.all().filter((object) => object.kind === kind && object.name === name);
  }

  get(id: string): Stored | undefined {
    return this.#objects.get(id);
  }

  /** Adds an object that existed before; several may have one name. */
  seed(kind: string, name: string, spec: JsonObject): Stored {
    this.#count += 1;
    const number = NUMBERED.includes(kind) ? this.#count : undefined;
    const made = { id: `id${this.#count}`, kind, name, number, spec: this.#filled(kind, spec) };
    this.#objects.set(made.id, made);
    return made;
  }

  create(kind: string, name: string, spec: JsonObject): Stored {
    this.#request(this.can(kind).create, `create ${kind}`);
    this.#mustBeFree(kind, name);
    return this.seed(kind, name, spec);
  }

  /** A full update: what an update could carry and does not is reset. */
  update(id: string, name: string, fields: JsonObject): void {
    const { kind, ...object } = this.#mustLive(id);
    const { update } = this.can(kind);
    const unknown = Object.keys(fields).filter((field) => !update.includes(field) || isChild(kind, field));
    this.#request(update.includes('name') && unknown.length === 0, `update ${unknown} of ${kind}`);
    if (name !== object.name) this.#mustBeFree(kind, name);
    const kept = Object.entries(object.spec).filter(([field]) => !update.includes(field));
    const spec = this.#filled(kind, { ...Object.fromEntries(kept), ...fields });
    this.#objects.set(id, { ...object, kind, name, spec });
  }

  delete(id: string): void {
    const { kind } = this.#mustLive(id);
    this.#request(this.can(kind).delete, `delete ${kind}`);
    this.#objects.delete(id);
    for (const object of this.all()) {
      const gone = Object.entries(POINTERS[object.kind] ?? {}).filter(([field]) => isChild(object.kind, field));
      for (const [field] of gone) this.#put(object, field, without(object.spec[field], id));
    }
  }

  /** What somebody does in the service's own pages: anything. */
  byHand(id: string, field: string, value: Json): void {
    this.#put(this.#mustLive(id), field, value);
  }

  addChild(id: string, field: string, child: string): void {
    const object = this.#mustLive(id);
    this.#request(isChild(object.kind, field), `add to ${field}`);
    this.#put(object, field, [...without(object.spec[field], child), child]);
  }

  removeChild(id: string, field: string, child: string): void {
    const object = this.#mustLive(id);
    this.#request(isChild(object.kind, field), `remove from ${field}`);
    this.#put(object, field, without(object.spec[field], child));
  }

  read(id: string): JsonObject {
    this.requests += 1;
    return this.#mustLive(id).spec;
  }

  /** What a plan sees of it: names for ids, children only of objects whose children are read. */
  observe(childrenOf: (object: Stored) => readonly string[], described: ReadonlySet<Address>): Observation {
    const unlisted = new Set(KINDS.filter((kind) => !this.can(kind).list));
    const objects = KINDS.map((name): [string, readonly Observed[]] => {
      if (unlisted.has(name)) return [name, []];
      const own = this.all().filter((object) => object.kind === name);
      const seen = own.map((object) => this.#observed(object, childrenOf(object)));
      return [name, builtIn.kindNamed(name)?.gather?.(seen, (one) => described.has(addressOf(name, one))) ?? seen];
    });
    return { objects: new Map(objects), lookups: LOOKUPS, unlisted };
  }

  /** The spec with names in the place of ids. */
  told({ kind, spec }: Stored): JsonObject {
    const fields = Object.entries(POINTERS[kind] ?? {}).filter(([field]) => field in spec);
    const names = fields.map(([field, to]) => [
      field,
      textsIn(spec[field]).map((id) => this.get(id)?.name ?? deadReference(to)),
    ]);
    return { ...spec, ...Object.fromEntries(names) };
  }

  #observed(object: Stored, children: readonly string[]): Observed {
    const hidden = [...(this.can(object.kind).hidden ?? []), ...(CHILDREN[object.kind] ?? [])];
    const spec = Object.entries(this.told(object)).filter(
      ([field]) => !hidden.includes(field) || children.includes(field),
    );
    const number = object.number === undefined ? {} : { number: object.number };
    return { name: object.name, identity: object.id, spec: Object.fromEntries(spec), ...number };
  }

  #filled(kind: string, given: JsonObject): JsonObject {
    const named = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const { quantity, ...spec } = { ...DEFAULTS[kind], ...named } as JsonObject;
    if (kind === 'NumberReservation' && quantity !== undefined)
      return { ...spec, itemNumbers: this.#numbers(quantity) };
    if (kind !== 'ImportDefinition') return spec;
    return {
      ...spec,
      options: completed({ ...(DEFAULTS[kind]?.options as JsonObject), ...(spec.options as JsonObject) }),
    };
  }

  #numbers(quantity: Json): string[] {
    return Array.from({ length: Number(quantity) }, (_, index) => `${this.#count}-${index}`);
  }

  #put({ id }: Stored, field: string, value: Json): void {
    const object = this.#mustLive(id);
    this.#objects.set(id, { ...object, spec: { ...object.spec, [field]: value } });
  }

  #request(allowed: boolean, what: string): void {
    this.requests += 1;
    if (!allowed) throw new Refused(`The service does not ${what}.`);
  }

  #mustLive(id: string): Stored {
    const object = this.#objects.get(id);
    if (object === undefined) throw new Refused(`${id} is gone.`);
    return object;
  }

  #mustBeFree(kind: string, name: string): void {
    if (this.named(kind, name).length > 0) throw new Refused(`A second ${kind}/${name} would be made.`);
  }
}

const isChild = (kind: string, field: string): boolean => CHILDREN[kind]?.includes(field) ?? false;

const without = (list: Json | undefined, entry: string): string[] => textsIn(list).filter((one) => one !== entry);

/** The service fills in whether a mapped column is shown, and drops what is null. */
function completed(options: JsonObject): JsonObject {
  const { mapping, ...rest } = options;
  const kept = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const entries = Array.isArray(mapping) ? { mapping: mapping.map((entry) => ({ inResponse: true, ...entry })) } : {};
  return { ...(DEFAULTS.ImportDefinition?.options as JsonObject), ...kept, ...entries };
}
