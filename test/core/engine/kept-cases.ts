import type { JsonObject } from '#core/model/json.js';
import type { Case, Placed, PlacedFact } from './generators.js';
import type { Described } from './planning-world.js';

/** Cases that failed once, as small as they became. */
export const KEPT: readonly Case[] = [
  // An object that only the ledger distinguishes from its namesake is not replaced: a second one would be created.
  kept({
    live: [definition('B', { mode: 'OVERWRITE' }), definition('B')],
    facts: [fact('ImportDefinition', 'B')],
    described: [manifest('ImportDefinition', 'B', { resource: 'ITEM_SPECS', mode: 'EDIT' })],
  }),
  // References to what was deleted have no name by which they could be sent.
  kept({
    live: [placed('Policy', 'A', { userGroups: ['C'] })],
    facts: [fact('Policy', 'A')],
    described: [manifest('Policy', 'A')],
    replace: ['Policy/A'],
  }),
  // A member that is renamed is removed by its new name, after it has it.
  kept({
    live: [placed('OutboundIntegration', 'A')],
    described: [
      manifest('Trigger', 'B', { resource: 'ITEM', action: 'CREATE' }, { renamedFrom: 'A' }),
      manifest('OutboundIntegration', 'A', { triggers: null }),
    ],
    next: [
      manifest('OutboundIntegration', 'A', { triggers: ['A'] }),
      manifest('Trigger', 'A', { resource: 'ITEM', action: 'CREATE' }),
    ],
  }),
  // A second replacement takes another name for what it retires; a killed one leaves its object behind.
  kept({
    live: [trigger('A'), trigger('A ~retired #0')],
    facts: [fact('Trigger', 'A')],
    described: [manifest('Trigger', 'A', { resource: 'ITEM', action: 'CREATE' })],
    replace: ['Trigger/A'],
    cuts: [{ made: 2 }],
  }),
  // What another stack made is its own under every name.
  kept({
    live: [placed('Policy', 'A')],
    facts: [fact('Policy', 'B', { stack: 'other', about: 0 })],
    described: [manifest('Policy', 'A', { enabled: false })],
  }),
  kept({
    live: [placed('OutboundIntegration', 'C')],
    facts: [fact('OutboundIntegration', 'A', { stack: 'other', about: 0 })],
    described: [manifest('OutboundIntegration', 'A'), manifest('OutboundIntegration', 'C')],
  }),
  kept({
    live: [placed('OutboundIntegration', 'C'), placed('OutboundIntegration', 'A')],
    facts: [fact('OutboundIntegration', 'C', { stack: 'other', about: 1 })],
    described: [manifest('OutboundIntegration', 'C'), manifest('OutboundIntegration', 'A')],
  }),
  // The end of a protection gives an object its name back, on which others count.
  kept({
    live: [trigger('B')],
    facts: [fact('Trigger', 'A', { about: 0, protect: true })],
    described: [
      manifest('Trigger', 'A', { resource: 'ITEM', action: 'CREATE' }),
      manifest('OutboundIntegration', 'A', { triggers: ['A'] }),
    ],
    replace: ['Trigger/A'],
  }),
  // A delete under another name leaves alone what the ledger says of that one.
  kept({
    live: [placed('OutboundIntegration', 'A'), placed('OutboundIntegration', 'A')],
    facts: [fact('OutboundIntegration', 'A', { about: 0 }), fact('OutboundIntegration', 'B', { about: 1 })],
    described: [],
    next: [manifest('OutboundIntegration', 'A')],
  }),
  // An object that one manifest adopts from another is recorded before the other one creates a new object.
  kept({
    live: [placed('Policy', 'B'), placed('UserGroup', 'A')],
    facts: [fact('Policy', 'A', { about: 0 })],
    described: [manifest('Policy', 'A'), manifest('Policy', 'B', { userGroups: ['C'] }), manifest('UserGroup', 'C')],
    adopt: 'never',
    cuts: [{ made: 0, ends: 'claimed' }],
  }),
  kept({
    live: [placed('UserGroup', 'A')],
    facts: [fact('UserGroup', 'C', { about: 0 })],
    described: [manifest('UserGroup', 'B', {}, { renamedFrom: 'A', protect: true }), manifest('UserGroup', 'C')],
    replace: ['UserGroup/B'],
    adopt: 'never',
    cuts: [{ made: 1 }],
  }),
  kept({
    live: [placed('UserGroup', 'A'), placed('UserGroup', 'B')],
    facts: [fact('UserGroup', 'B', { about: 'intended' }), fact('UserGroup', 'C', { about: 1 })],
    described: [manifest('UserGroup', 'B', {}, { renamedFrom: 'A' }), manifest('UserGroup', 'C')],
  }),
  // A creation whose answer never came is known as ours, no matter which step was to follow it.
  kept({
    described: [manifest('UserGroup', 'A', { members: ['ann@x'] })],
    adopt: 'never',
    cuts: [{ made: 0, ends: 'sent' }],
  }),
  kept({
    described: [manifest('UserGroup', 'A', { members: ['ann@x'] })],
    adopt: 'never',
    cuts: [{ made: 1, ends: 'refused' }],
  }),
  kept({
    described: [manifest('NumberReservation', 'A', { category: 'Resistor', quantity: 2 })],
    adopt: 'never',
    cuts: [{ made: 0, ends: 'sent' }],
  }),
  // What a manifest begins to refer to is not deleted.
  kept({
    live: [trigger('A')],
    facts: [fact('Trigger', 'A')],
    described: [manifest('OutboundIntegration', 'A', { triggers: ['A'] })],
  }),
  // What is replaced under another name is retired for those, too, that refer to it.
  kept({
    live: [trigger('C'), placed('OutboundIntegration', 'C', { triggers: ['C'] })],
    facts: [fact('Trigger', 'B', { about: 0 })],
    described: [
      manifest('OutboundIntegration', 'A', { triggers: null }, { renamedFrom: 'C' }),
      manifest('Trigger', 'B', { resource: 'ITEM', action: 'CREATE' }),
    ],
    replace: ['Trigger/B'],
  }),
  // A rename that the service refuses takes nothing from the ledger.
  kept({
    live: [definition('C')],
    facts: [fact('ImportDefinition', 'A', { about: 0, protect: true })],
    described: [manifest('ImportDefinition', 'A', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }, { renamedFrom: 'C' })],
    cuts: [{ made: 0, ends: 'refused' }],
  }),
  // A replacement that was cut off resumes with its own object, not with one that has the former name now.
  kept({
    live: [definition('C'), definition('A')],
    facts: [fact('ImportDefinition', 'A')],
    described: [manifest('ImportDefinition', 'A', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }, { renamedFrom: 'C' })],
    cuts: [{ made: 1 }],
  }),
  kept({
    live: [definition('A'), definition('C'), definition('B')],
    facts: [fact('ImportDefinition', 'A')],
    described: [manifest('ImportDefinition', 'A', { resource: 'ITEM_SPECS', mode: 'OVERWRITE' }, { renamedFrom: 'C' })],
    cuts: [{ made: 2 }],
  }),
  // A rename that was cut off is over, though another object has the former name.
  kept({
    live: [placed('OutboundIntegration', 'C'), placed('OutboundIntegration', 'C')],
    facts: [fact('OutboundIntegration', 'C', { about: 0 })],
    described: [manifest('OutboundIntegration', 'B', {}, { renamedFrom: 'C' })],
    cuts: [{ made: 1 }],
  }),
  // Children that no manifest names go over to the new object.
  kept({
    live: [placed('OutboundIntegration', 'A', { triggers: ['C'] }), trigger('C')],
    facts: [fact('OutboundIntegration', 'A')],
    described: [manifest('OutboundIntegration', 'C', {}, { renamedFrom: 'A' })],
    replace: ['OutboundIntegration/C'],
  }),
  // What is removed gives nothing the name that the ledger knows it by: another object may have that one.
  kept({
    live: [placed('UserGroup', 'C'), placed('Policy', 'A', { userGroups: ['C'] }), placed('UserGroup', 'B')],
    facts: [fact('UserGroup', 'B', { about: 0 })],
    described: [manifest('Policy', 'B', { userGroups: ['B'] }, { renamedFrom: 'A' })],
  }),
];

type Few = Partial<Omit<Case, 'scene' | 'replace'>> & {
  readonly live?: readonly Placed[];
  readonly facts?: readonly PlacedFact[];
  readonly replace?: readonly string[];
};

function kept({ live = [], facts = [], replace = [], ...rest }: Few): Case {
  return {
    scene: { profile: 'reference', live, facts },
    described: [],
    next: [],
    adopt: 'ask',
    prune: 'yes',
    cuts: [{}],
    replace: replace as Case['replace'],
    ...rest,
  };
}

function placed(kind: string, name: string, spec: JsonObject = {}): Placed {
  return { kind, name, spec };
}

function trigger(name: string): Placed {
  return placed('Trigger', name, { resource: 'ITEM', action: 'CREATE' });
}

function definition(name: string, spec: JsonObject = {}): Placed {
  return placed('ImportDefinition', name, { resource: 'ITEM_SPECS', mode: 'EDIT', ...spec });
}

function fact(kind: string, name: string, over: Partial<PlacedFact> = {}): PlacedFact {
  return { kind, name, stack: 's', how: 'created', protect: false, about: 'named', applied: [], ...over };
}

function manifest(kind: string, name: string, spec: JsonObject = {}, metadata: JsonObject = {}): Described {
  return { kind, metadata: { name, ...metadata }, spec };
}
