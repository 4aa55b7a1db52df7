import { Identities } from '#service/identities.js';
import { arena } from '#service/profiles/arena.js';
import { reference } from '#service/profiles/reference.js';

export const ROHS = 'AAAAAAAAAAAAAAAAAAA1';
export const RESISTOR = 'AAAAAAAAAAAAAAAAAAA1';
export const PHASE = 'AAAAAAAAAAAAAAAAAAA2';
export const GROUP = 'AAAAAAAAAAAAAAAAAAA3';
export const COLOUR = 'AAAAAAAAAAAAAAAAAAA4';
export const DEVIATION = 'AAAAAAAAAAAAAAAAAAA5';
/** A GUID of nothing that lives. */
export const GONE = 'BBBBBBBBBBBBBBBBBBB2';

const known = (profile: typeof reference): Identities => {
  const identities = new Identities(profile);
  identities.enter('Attribute', ['RoHS Status'], ROHS, 'ITEMS');
  identities.enter('Attribute', ['Colour'], COLOUR, 'CHANGES');
  identities.enter('Category', ['Item\\Resistor', 'Resistor'], RESISTOR, 'ITEMS');
  identities.enter('Category', ['Change\\Deviation'], DEVIATION, 'CHANGES');
  identities.enter('LifecyclePhase', ['In Production'], PHASE);
  identities.enter('UserGroup', ['Quality'], GROUP);
  return identities;
};

/** The same objects, known to a service of either dialect. */
export const identities = known(reference);
export const inArena = known(arena);
