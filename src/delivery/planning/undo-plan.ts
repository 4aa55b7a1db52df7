import { COMMAND_LINE } from '#base/diagnostics.js';
import type { Address } from '#core/model/address.js';
import type { Plan, Step } from '#core/model/plan.js';
import { NO_ROWS, type RowChange } from '#core/model/rows-preview.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { type ImportsToPlan, planOfImports } from './plan-of-imports.js';

/** What stays as it is of an import that is undone. */
export interface NotUndone {
  readonly address: Address;
  readonly count: number;
  readonly first: readonly RowChange[];
  /** How messages call the import, and the file that lists all. */
  readonly called: string;
  readonly file: string;
  /** The key of the import. */
  readonly key: string;
  readonly by: string;
}

/** What the plan of an undo is made from. */
export interface UndoPlanInput extends ImportsToPlan {
  readonly notUndone?: NotUndone;
}

/** The imports that undo another one as a plan like every other, with the definitions that they lack. */
export function undoPlan(input: UndoPlanInput, connection: Connection, host: Host): Plan {
  const { notUndone } = input;
  const plan = planOfImports(input, connection, host);
  const steps = plan.steps.map(ofNobody);
  if (notUndone === undefined) return { ...plan, steps };
  const summary = { ...plan.summary, blocked: plan.summary.blocked + 1 };
  return { ...plan, steps: [...steps, notUndoneStep(notUndone)], summary };
}

/** No manifest describes the definition of an undo: if it were the stack's own, pruning would retire it. */
function ofNobody({ fact: _, ...step }: Step): Step {
  return step;
}

function notUndoneStep({ address, count, first, called, file, key, by }: NotUndone): Step {
  const rows = count === 1 ? '1 row' : `${count} rows`;
  return {
    ...{ address, action: 'blocked', reason: 'not-undone', fields: [], writes: [], dependsOn: [], fingerprint: key },
    message: `${rows} of ${called} cannot be undone, or not wholly; ${file} lists all of them.`,
    preview: { with: 'workspace', by, requests: 0, counts: { ...NO_ROWS, gone: 0, kept: count }, rows: [...first] },
    origin: COMMAND_LINE,
  };
}
