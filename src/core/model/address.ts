declare const brand: unique symbol;

/** `Kind/name`: names an object in manifests, plans, journals and messages. The name may itself contain slashes. */
export type Address = string & { readonly [brand]: 'Address' };

/** Joins `Kind/name`. The name is not checked: it comes from a checked manifest or from the service. */
export const addressOf = (kind: string, name: string): Address => `${kind}/${name}` as Address;

/** `UserGroup/A and 2 more`; empty for an empty list. */
export const firstAndMore = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;

/** The inverse of `addressOf`: the kind ends at the first slash. */
export function splitAddress(address: Address): { kind: string; name: string } {
  const slash = address.indexOf('/');
  return { kind: address.slice(0, slash), name: address.slice(slash + 1) };
}

/** Returns the names that some addresses have, by kind. */
export const namesAmong =
  (addresses: readonly Address[]) =>
  (kind: string): readonly string[] =>
    addresses.map((address) => splitAddress(address)).flatMap((one) => (one.kind === kind ? one.name : []));
