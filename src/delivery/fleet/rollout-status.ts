import { EXIT, type ExitCode } from '#base/errors.js';
import { isObject } from '#core/model/json.js';
import type { RolloutNext, RolloutStatus } from '#core/stream/fleet-event.js';
import { authorText } from '#ledger/stored-plan.js';
import type { Rollout, RolloutNote, StoredRollout } from '#ledger/stored-rollout.js';
import type { RolloutDecision } from './decide-rollout.js';
import { reviewedGroups } from './rollout-reviews.js';
import type { RolloutState } from './rollout-state.js';
import { isForWorkers } from './workers.js';

/** Describes a rollout. */
export function rolloutStatus(
  { name, rollout, notes }: Pick<StoredRollout, 'name' | 'rollout' | 'notes'>,
  state: RolloutState,
  decision: RolloutDecision,
): RolloutStatus {
  const { stack, fleet, release, at, author } = rollout;
  return {
    ...{ stack, fleet, name },
    ...(release === undefined ? {} : { release }),
    ...{ plannedAt: at, plannedBy: authorText(author), workers: isForWorkers({ rollout }) },
    groups: reviewedGroups({ rollout, notes }),
    targets: state.targets.map(({ wave, plan: _, group: __, workspace: ___, tries: ____, ...facts }) => ({
      ...facts,
      wave: wave + 1,
    })),
    left: leftOut(rollout),
    next: state.isOpen || state.stopped !== undefined ? nextOf(state, decision) : { is: 'new' },
    exitCode: exitCodeOf(state, decision),
  };
}

/** What `fleet plan` said of environments that it could not plan. */
function leftOut({ shown }: Rollout): RolloutStatus['left'] {
  const problems = Array.isArray(shown.problems) ? shown.problems : [];
  return problems.flatMap((problem) =>
    isObject(problem) ? [{ environment: String(problem.environment), message: String(problem.message) }] : [],
  );
}

function nextOf(state: RolloutState, decision: RolloutDecision): RolloutNext {
  switch (decision.is) {
    case 'work':
    case 'check':
      return { is: decision.is, wave: decision.wave + 1 };
    case 'wait':
      return { ...decision, wave: decision.wave + 1, until: decision.until.toISOString() };
    case 'ask':
      return { ...decision, wave: decision.wave + 1, ...saidBy(refusalOf(state, decision.wave)) };
    case 'paused':
    case 'stopped':
      return { is: decision.is, ...saidBy(state[decision.is]) };
    default:
      return decision;
  }
}

const refusalOf = ({ checks, approvals }: RolloutState, wave: number): RolloutNote | undefined =>
  [approvals.get(wave), checks.get(wave)].find((note) => note?.is === 'rejected' || note?.is === 'refused');

const saidBy = (note: RolloutNote | undefined): Pick<RolloutNext, 'by' | 'message'> => {
  if (note === undefined) return {};
  const message = note.message ?? note.reason;
  return {
    ...(note.is === 'refused' ? {} : { by: authorText(note.author) }),
    ...(message === undefined ? {} : { message }),
  };
};

/** The rule for the exit code of all commands that work on a rollout. */
function exitCodeOf({ targets }: RolloutState, decision: RolloutDecision): ExitCode {
  if (
    decision.is === 'over-budget' ||
    decision.is === 'stopped' ||
    (decision.is === 'ask' && decision.because !== 'approval')
  )
    return EXIT.failed;
  if (decision.is !== 'ended') return EXIT.incomplete;
  return targets.some(({ is }) => is === 'failed' || is === 'unknown') ? EXIT.failed : EXIT.done;
}
