import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Catalog } from '#core/catalog.js';
import { type Address, addressOf } from '#core/model/address.js';
import { type NamedType, parseKindOrJob, parseType } from './parse-type.js';

/** An address with the type that it names. */
export interface ParsedAddress {
  readonly listed: NamedType;
  readonly name: string;
  /** The world of a lookup that is listed by world: `Attribute:BOM/Find Number`. */
  readonly world?: string;
  readonly address: Address;
}

/**
 * Parses `Kind/name` as people type it; a name may itself contain slashes. Throws USAGE for any other text, and
 * UNKNOWN_NAME for an unknown type.
 */
export function parseAddress(text: string, catalog: Catalog): ParsedAddress {
  const [, type = '', world, name = ''] = /^([^/:]+)(?::([^/]+))?\/(.+)$/s.exec(text) ?? [];
  if (name === '') throw notAnAddress(text);
  const listed = parseType(type, catalog);
  const { name: kind } = listed.type;
  if (world === undefined) return { listed, name, address: addressOf(kind, name) };
  const partition = world.toUpperCase();
  return { listed, name, world: partition, address: addressOf(`${kind}:${partition}`, name) };
}

/** Parses the address of an object or a job, which manifests describe. Throws like `parseAddress`. */
export function parseManifestAddress(text: string, catalog: Catalog): Address {
  const [, kind = '', name = ''] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  if (name === '') throw notAnAddress(text);
  return addressOf(parseKindOrJob(kind, catalog), name);
}

/** An object, or one of its fields. */
export interface Place {
  readonly address: Address;
  readonly field?: string;
}

/** Parses `Kind/name` or `Kind/name#field`. Throws like `parseAddress`. */
export function parsePlace(text: string, catalog: Catalog): Place {
  const [, object = text, field] = /^(.+)#([^#]+)$/s.exec(text) ?? [];
  return { address: parseManifestAddress(object, catalog), ...omitUndefined({ field }) };
}

/** The inverse of `parsePlace`. */
export const placeText = ({ address, field }: Place): string => (field === undefined ? address : `${address}#${field}`);

const notAnAddress = (text: string): DexsyncError =>
  new DexsyncError('USAGE', `"${text}" is not an address.`, {
    hint: 'Write it as Kind/name, such as UserGroup/Quality.',
  });
