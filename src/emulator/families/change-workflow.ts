import type { Stated } from '../documented/status-changes.js';

/** The state of a change, such as `OPEN_AND_UNLOCKED`. */
export const changeState = ({ lifecycleStatus }: Stated['fields']): string =>
  (lifecycleStatus as { readonly type: string }).type;

/** The states that requests may ask for in each state, with the one that follows (wire-facts 8.5). */
export const MOVES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OPEN_AND_UNLOCKED: {
    ...{ OPEN_AND_LOCKED: 'OPEN_AND_LOCKED', CANCELED: 'CANCELED', SUBMITTED: 'SUBMITTED_FOR_APPROVAL' },
  },
  OPEN_AND_LOCKED: { OPEN_AND_UNLOCKED: 'OPEN_AND_UNLOCKED', SUBMITTED: 'SUBMITTED_FOR_APPROVAL' },
  SUBMITTED_FOR_APPROVAL: { OPEN_AND_UNLOCKED: 'OPEN_AND_UNLOCKED', APPROVED: 'EFFECTIVE', REJECTED: 'REJECTED' },
  REJECTED: { OPEN_AND_UNLOCKED: 'OPEN_AND_UNLOCKED', CANCELED: 'CANCELED' },
  EFFECTIVE: { COMPLETED: 'COMPLETED', EXPIRED: 'EXPIRED' },
  EXPIRED: { COMPLETED: 'COMPLETED' },
  COMPLETED: { EFFECTIVE: 'EFFECTIVE' },
  CANCELED: {},
};

/** The states that any request may ask for. */
export const REQUESTED = new Set(Object.values(MOVES).flatMap((moves) => Object.keys(moves)));

/** The state in which a change can be edited. */
export const OPEN = 'OPEN_AND_UNLOCKED';

/** The states in which a change can be deleted. */
export const DELETABLE = [OPEN, 'CANCELED', 'REJECTED'];

/** What a change that was submitted still takes (wire-facts 8.5). */
export const ALWAYS_EDITABLE = ['approvalDeadlineDateTime', 'expirationDateTime', 'implementationStatus'];
