import { COMMAND_LINE } from '#base/diagnostics.js';
import type { Plan, Step } from '#core/model/plan.js';
import { NO_ROWS } from '#core/model/rows-preview.js';
import type { PreparedUndo } from '#data/imports/undo/prepare-undo.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { type ImportsToPlan, planOfImports } from './plan-of-imports.js';

/** Rows of an import that its undo leaves as they are, or undoes in part. */
export interface NotUndone extends NonNullable<PreparedUndo['notUndone']> {
  /** The name of the import in messages, and its key. */
  readonly called: string;
  readonly key: string;
}

/** The input for the plan of an undo. */
export interface UndoPlanInput extends ImportsToPlan {
  readonly notUndone?: NotUndone;
}

/** Plans the imports that undo another one, with the definitions that they lack. */
export function undoPlan(input: UndoPlanInput, connection: Connection, host: Host): Plan {
  const { notUndone } = input;
  const plan = planOfImports(input, connection, host);
  const steps = plan.steps.map(withoutFact);
  if (notUndone === undefined) return { ...plan, steps };
  const summary = { ...plan.summary, blocked: plan.summary.blocked + 1 };
  return { ...plan, steps: [...steps, notUndoneStep(notUndone)], summary };
}

/** Drops ownership: no manifest describes the definition of an undo, so that pruning would retire it. */
function withoutFact({ fact: _, ...step }: Step): Step {
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
