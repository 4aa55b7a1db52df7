import { IMPORT_RESOURCES } from './import-resources.js';

/** The world of attributes that a resource belongs to: imports and triggers name resources, attributes come by world. */
export const WORLDS: Readonly<Record<string, string>> = {
  /** Where nothing names a resource, items are meant. */
  '': 'ITEMS',
  ...Object.fromEntries(IMPORT_RESOURCES.map(({ name, world }) => [name, world])),
  ITEM: 'ITEMS',
  CHANGE: 'CHANGES',
  REQUEST: 'REQUESTS',
  QUALITY: 'QUALITY',
};

/** A resource without a world of its own is one: its attributes are looked for under its name. */
export const worldOf = (resource: string): string => WORLDS[resource.toUpperCase()] ?? resource;
