import { hash } from 'node:crypto';
import { DexsyncError } from '#base/errors.js';
import { referencedAttribute } from '#core/model/attribute-reference.js';
import type { Guid, NameContext, WireContext } from '#core/model/kind.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { lookupKey } from '#core/model/observation.js';
import type { Profile } from './profiles/profile.js';

/** Returns all that may be recorded of a GUID: a hash that only shows whether two are the same. */
export const identityOf = (guid: Guid): LiveIdentity => hash('sha256', guid).slice(0, 24);

/** The names of GUIDs, as read in this process. Only journals record GUIDs, to read again what a list does not show. */
export class Identities implements WireContext, NameContext {
  readonly #attributes: Profile['customAttributes'];
  readonly #guids = new Map<string, Map<string, Guid>>();
  readonly #names = new Map<string, Map<Guid, string>>();
  /** Names that several objects have. */
  readonly #shared = new Set<string>();
  /** Objects that the ledger knows, even if no list shows them. */
  #recorded: { has(identity: LiveIdentity): boolean } = new Set<LiveIdentity>();
  /** Filled for a kind when it is first needed. */
  readonly #identities = new Map<string, Map<LiveIdentity, Guid>>();

  constructor({ customAttributes }: Pick<Profile, 'customAttributes'>) {
    this.#attributes = customAttributes;
  }

  enter(kind: string, names: readonly string[], guid: Guid, partition = ''): void {
    const key = lookupKey(kind, partition);
    const [first] = names;
    if (first === undefined) return;
    const known = tableOf(this.#guids, key);
    for (const name of names) {
      if (known.has(name) && known.get(name) !== guid) this.#shared.add(`${key}/${name}`);
      known.set(name, guid);
    }
    tableOf(this.#names, key).set(guid, first);
    this.#identities.get(key)?.set(identityOf(guid), guid);
  }

  remember(recorded: { has(identity: LiveIdentity): boolean }): void {
    this.#recorded = recorded;
  }

  /** Whether an object existed before, according to lists and ledger. */
  isKnown(kind: string, guid: Guid): boolean {
    return this.nameOf(kind, guid) !== undefined || this.#recorded.has(identityOf(guid));
  }

  guidOf(kind: string, name: string, partition = ''): Guid {
    const guid = this.#guids.get(lookupKey(kind, partition))?.get(name);
    if (guid !== undefined) return guid;
    throw new DexsyncError('UNKNOWN_NAME', `${kind}/${name} is not in the workspace.`, {
      hint: 'It existed when the plan was created, or an earlier step should have created it. Plan again.',
    });
  }

  /** Returns the GUID of the object that a plan means, regardless of its current name and of others with that name. */
  withIdentity(kind: string, identity: LiveIdentity): Guid | undefined {
    const known = this.#identities.get(kind);
    if (known !== undefined) return known.get(identity);
    for (const guid of this.#names.get(kind)?.keys() ?? []) tableOf(this.#identities, kind).set(identityOf(guid), guid);
    return this.#identities.get(kind)?.get(identity);
  }

  identityNamed(kind: string, name: string): LiveIdentity | undefined {
    const guid = this.#guids.get(kind)?.get(name);
    return guid === undefined ? undefined : identityOf(guid);
  }

  /** Selects the object that references mean, if several share a name. */
  choose(kind: string, name: string, identity: LiveIdentity): void {
    const guid = this.#shared.has(`${kind}/${name}`) ? this.withIdentity(kind, identity) : undefined;
    if (guid !== undefined) tableOf(this.#guids, kind).set(name, guid);
  }

  nameOf(kind: string, guid: Guid, partition = ''): string | undefined {
    return this.#names.get(lookupKey(kind, partition))?.get(guid);
  }

  /** Describes the object of a GUID to people: `attribute "Weight in Grams"`, `user group "Quality"`. */
  wordsFor(guid: Guid): string | undefined {
    for (const [key, names] of this.#names) {
      const name = names.get(guid);
      if (name !== undefined) return `${typeInWords(key)} "${name}"`;
    }
    return undefined;
  }

  attributeToWire(name: string, world: string): string {
    const guid = this.guidOf('Attribute', name, world);
    return this.#attributes === 'guid' ? guid : name;
  }

  attributeFromWire(text: string, world: string): string | undefined {
    if (this.#attributes === 'guid') return referencedAttribute(text, (guid) => this.nameOf('Attribute', guid, world));
    return this.#guids.get(lookupKey('Attribute', world))?.has(text) === true ? text : undefined;
  }
}

/** Phrases a key, which is `UserGroup`, or `Attribute` and its partition, as people say it. */
const typeInWords = (key: string): string =>
  (/^\w+/.exec(key)?.[0] ?? key).replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

function tableOf<V>(tables: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const table = tables.get(key) ?? new Map<string, V>();
  tables.set(key, table);
  return table;
}
