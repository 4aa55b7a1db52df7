import { builtIn } from '#core/catalog.js';
import { withBase } from '#core/engine/field-base.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import { type JsonObject, textsIn } from '#core/model/json.js';
import { type ObjectFact, withoutFormer } from '#core/model/object-fact.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import { POINTERS, Refused, type ServiceModel, type Stored } from './service-model.js';

/** A workspace and what its ledger says of it. */
export interface World {
  readonly service: ServiceModel;
  readonly facts: ReadonlyMap<Address, ObjectFact>;
}

/** How far a step got before its process was killed, or which of its writes was refused. */
export interface Cut {
  /** The number of writes that succeed; all of them by default, then with what the ledger says. */
  readonly made?: number;
  /**
   * `nothing`: the last write was not recorded. `claimed`: it was, and the next one was announced. `sent`: the next one
   * succeeded, and nobody saw the answer. `refused`: the service refused it.
   */
  readonly ends?: 'nothing' | 'claimed' | 'sent' | 'refused';
}

/** Carries out a plan as the executor does, each step after those that it needs. `writes` hears of each write to a live object. */
export function applied(
  { service: before, facts: known }: World,
  plan: Plan,
  cutOf: (step: Step) => Cut = () => ({}),
  writes: (step: Step, write: Write, id: string) => void = () => undefined,
): World {
  const service = before.copy();
  const facts = new Map(known);
  const names = new Names(before, known);
  const done = new Set<Address>();
  for (const step of plan.steps) {
    if (step.writes.length === 0 || !step.dependsOn.every((address) => done.has(address))) continue;
    const one = new Applying(step, service, facts, names, writes);
    if (one.run(cutOf(step)) === 'done') done.add(step.address);
  }
  return { service, facts };
}

/** The object that a name means while a plan is applied: the one seen, recorded, or just created. */
class Names {
  readonly #ids = new Map<string, string>();

  constructor(service: ServiceModel, facts: World['facts']) {
    for (const { kind, name, id } of service.all()) this.enter(kind, name, id);
    for (const [address, { identity }] of facts) {
      const object = service.get(identity ?? '');
      if (object !== undefined && addressOf(object.kind, object.name) === address) {
        this.enter(object.kind, object.name, object.id);
      }
    }
  }

  enter(kind: string, name: string, id: string): void {
    this.#ids.set(addressOf(kind, name), id);
  }

  find(kind: string, name: string): string | undefined {
    return this.#ids.get(addressOf(kind, name));
  }

  id(kind: string, name: string): string {
    const id = this.find(kind, name);
    if (id === undefined) throw new Refused(`${kind}/${name} is not in the workspace.`);
    return id;
  }
}

class Applying {
  readonly #step: Step;
  readonly #service: ServiceModel;
  readonly #facts: Map<Address, ObjectFact>;
  readonly #names: Names;
  readonly #hear: (step: Step, write: Write, id: string) => void;

  constructor(
    step: Step,
    service: ServiceModel,
    facts: Map<Address, ObjectFact>,
    names: Names,
    hear: (step: Step, write: Write, id: string) => void,
  ) {
    this.#step = step;
    this.#service = service;
    this.#facts = facts;
    this.#names = names;
    this.#hear = hear;
  }

  run({ made = Number.POSITIVE_INFINITY, ends = 'nothing' }: Cut): 'done' | 'killed' {
    const { writes } = this.#step;
    const known = writes.findIndex(({ verb }) => verb === 'create');
    for (const [index, write] of writes.entries()) {
      if (index >= made) return this.#end(write, ends);
      this.#claim(write);
      this.#make(write);
      const isTold = made > index + 1 || ends !== 'nothing';
      if (isTold && index === (known < 0 ? writes.length - 1 : known)) this.#record();
    }
    return made > writes.length ? 'done' : 'killed';
  }

  #end(write: Write, ends: NonNullable<Cut['ends']>): 'killed' {
    if (ends !== 'nothing') this.#claim(write);
    if (ends === 'sent') this.#make(write);
    if (ends === 'refused' && this.#isClaiming(write)) this.#refuse(write);
    return 'killed';
  }

  /** What was claimed is not there, and what it was to replace has its name again. */
  #refuse(write: Write): void {
    const { address, fact } = this.#step;
    if (write.verb === 'create' && write.back !== undefined) {
      const { identity, name, fields } = write.back;
      this.#service.update(identity, name, fields);
    }
    if (fact?.former === undefined) this.#facts.delete(address);
    else this.#facts.set(address, fact.former);
  }

  /** Before an object gets its address the ledger says that what will be exactly so, or is that one, is ours. */
  #claim(write: Write): void {
    const { fact, address } = this.#step;
    if (fact && this.#isClaiming(write)) this.#facts.set(address, fact);
  }

  #isClaiming({ verb }: Write): boolean {
    const { fact, liveName, reason } = this.#step;
    if (verb === 'create') return fact?.identity === undefined;
    return verb === 'update' && liveName !== undefined && reason !== 'renamed-outside';
  }

  #record(): void {
    const { address, fact, formerly } = this.#step;
    if (fact === undefined) return;
    const { kind, name } = splitAddress(address);
    if (formerly !== undefined) this.#facts.delete(formerly);
    if (fact === null) this.#facts.delete(address);
    else this.#facts.set(address, fact.identity === undefined ? this.#made(fact, kind, name) : withoutFormer(fact));
  }

  /** The answer to a creation, including children that are not there yet. */
  #made(fact: ObjectFact, kind: string, name: string): ObjectFact {
    const identity = this.#names.id(kind, name);
    const seen = this.#service.told(this.#service.get(identity) as Stored);
    const told = withBase(builtIn.knownKind(kind), this.#service.can(kind), fact, { before: fact, seen });
    return { ...withoutFormer(told), identity };
  }

  #make(write: Write): void {
    if (write.verb === 'record' || write.verb === 'import') return;
    const { kind, name } = splitAddress(this.#step.address);
    if (write.verb === 'create') {
      const called = write.name ?? name;
      this.#names.enter(kind, called, this.#service.create(kind, called, this.#pointing(kind, write.spec)).id);
      return;
    }
    const isNew = this.#step.writes.some(({ verb }) => verb === 'create');
    const isChild = write.verb === 'addChild' || write.verb === 'removeChild';
    const id = isNew && isChild ? this.#names.id(kind, name) : this.#live();
    this.#hear(this.#step, write, id);
    if (write.verb === 'update' || write.verb === 'retire') this.#update(kind, id, write);
    if (write.verb === 'delete') {
      this.#service.delete(id);
      // Whether it is gone is looked up.
      this.#service.requests += 1;
    }
    if (write.verb === 'addChild')
      this.#service.addChild(id, write.field, this.#pointer(kind, write.field, write.name));
    if (write.verb === 'removeChild') {
      this.#service.removeChild(id, write.field, this.#pointer(kind, write.field, write.name));
    }
  }

  #update(kind: string, id: string, write: Extract<Write, { verb: 'update' | 'retire' }>): void {
    const name = write.verb === 'retire' ? write.to : write.name;
    const isRead = write.verb === 'retire' || write.readFirst === 'yes';
    const kept = isRead ? this.#unnamed(kind, id, write.fields) : {};
    this.#service.update(id, name, { ...kept, ...this.#pointing(kind, write.fields) });
    // Whether it was renamed away is looked up.
    if (write.verb === 'retire') this.#service.read(id);
    this.#names.enter(kind, name, id);
  }

  /** The object that the plan saw, or else the one of its name. */
  #live(): string {
    const { identity, address, liveName } = this.#step;
    const { kind, name } = splitAddress(address);
    return identity !== undefined && this.#service.get(identity) !== undefined
      ? identity
      : this.#names.id(kind, liveName ?? name);
  }

  #unnamed(kind: string, id: string, named: JsonObject): JsonObject {
    const fields = this.#service.can(kind).update;
    const now = Object.entries(this.#service.read(id));
    return Object.fromEntries(now.filter(([field]) => fields.includes(field) && !(field in named)));
  }

  #pointing(kind: string, spec: JsonObject): JsonObject {
    const fields = Object.keys(POINTERS[kind] ?? {}).filter((field) => Array.isArray(spec[field]));
    const ids = fields.map((field) => [field, textsIn(spec[field]).map((name) => this.#pointer(kind, field, name))]);
    return { ...spec, ...Object.fromEntries(ids) };
  }

  #pointer(kind: string, field: string, name: string): string {
    const to = POINTERS[kind]?.[field];
    return to === undefined ? name : this.#names.id(to, name);
  }
}
