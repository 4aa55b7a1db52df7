import { priceOf } from '../price.js';
import { addressesOf, type Guard, overridable } from './guard.js';

/** A plan that may cost more than agreed stops as a whole: half of it would be dearer still in the end. */
export const maxRequests: Guard = (steps, input) => {
  const most = input.settings.maxRequests;
  const price = priceOf(steps, input.jobs);
  if (most === undefined || price.max <= most) return [];
  const range = price.min === price.max ? `${price.max}` : `${price.min} to ${price.max}`;
  const fact = `This apply would take ${range} requests (the limit is ${most})`;
  return [overridable('max-requests', input, fact, addressesOf(steps.filter(({ writes }) => writes.length > 0)))];
};
