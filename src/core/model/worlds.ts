import { IMPORT_RESOURCES } from './import-resources.js';

/** The attribute world of each resource: imports and triggers name resources, but attributes are listed by world. */
export const WORLDS: Readonly<Record<string, string>> = {
  /** Without a resource, items are meant. */
  '': 'ITEMS',
  ...Object.fromEntries(IMPORT_RESOURCES.map(({ name, world }) => [name, world])),
  ITEM: 'ITEMS',
  CHANGE: 'CHANGES',
  REQUEST: 'REQUESTS',
  QUALITY: 'QUALITY',
};

/** The world of a resource. One without a world is its own: its attributes are looked up under its name. */
export const worldOf = (resource: string): string => WORLDS[resource.toUpperCase()] ?? resource;
