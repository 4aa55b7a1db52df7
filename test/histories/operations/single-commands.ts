/**
 * Operations of one command, by name, and those that make each possible: what nobody has saved cannot be applied.
 * Histories have all pairs of them.
 */
export const SINGLE_COMMANDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    plan: [],
    'plan --adopt': [],
    'plan --only': ['create'],
    'plan --prune': [],
    'plan --prune --adopt': [],
    apply: [],
    'apply --adopt': [],
    'apply --only': ['create'],
    'apply --only --prune': [],
    'apply --prune': [],
    'apply --prune --adopt': [],
    'apply PLAN': ['create', 'plan --out'],
    adopt: ['by hand: create'],
    forget: [],
    destroy: [],
    drift: [],
    'drift --data': ['import'],
    history: [],
    pull: [],
    'pull --adopt': [],
    'pull --drifted': [],
    'pull --adopt --drifted': [],
    promote: [],
    import: [],
    'import retry': ['import refused in part'],
    'import undo': ['import'],
    'ledger move': [],
    'ledger rebuild': [],
    'lock release': [],
    'reservations release': [],
  }),
);
