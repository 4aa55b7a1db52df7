import type { ObjectFact } from '#core/model/object-fact.js';
import type { RenameBack, Step, Write } from '#core/model/plan.js';
import type { ObjectRecord } from '#ledger/journal-record.js';
import { type Failure, FINAL, failure } from './failure.js';
import { type ClaimPorts, withdrawn, writeClaims } from './object-records.js';

/** The effects of restoring an object's name. */
export interface RenameBackPorts extends ClaimPorts {
  /**
   * Restores the name of the old object after a refused creation. If it is unknown whether the new object exists,
   * checks that first. Throws if the old object keeps its retired name.
   */
  readonly renameBack: (step: Step, back: RenameBack, creation: 'refused' | 'unknown') => Promise<'renamed' | 'left'>;
}

/** Returns the status of a step after a failed write, and the records about its object. */
export async function settleFailure(
  step: Step,
  write: Write,
  failed: Failure,
  { renameBack, ...claiming }: RenameBackPorts,
): Promise<{ readonly status: Failure; readonly records: readonly ObjectRecord[] }> {
  const claims = writeClaims(step, write, claiming);
  const isOver = FINAL.some((code) => code === failed.code);
  const back = write.verb === 'create' && !isOver ? write.back : undefined;
  if (back === undefined) return { status: failed, records: withdrawn(claims, failed.is, claiming) };
  try {
    const is = await renameBack(step, back, failed.is === 'unknown' ? 'unknown' : 'refused');
    if (is === 'left') return { status: failed, records: [] };
    const message = `${failed.message} The old object is named "${back.name}" again.`;
    return { status: { ...failed, message }, records: withdrawn(claims, 'failed', claiming) };
  } catch (error) {
    const why = failure(error).message;
    const message = `${failed.message} The old object could not be named "${back.name}" again (${why}); the next plan offers it.`;
    return { status: { ...failed, message }, records: withdrawn(claims, failed.is, claiming, refused) };
  }
}

const refused = ({ former, applied }: ObjectFact): ObjectFact | null =>
  former === undefined ? null : { ...former, refused: applied };
