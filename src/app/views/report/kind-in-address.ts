import type { Address } from '#core/model/address.js';

/** The kind in an address. */
export const kindInAddress = (address: Address): string => address.slice(0, address.indexOf('/'));
