import { shellWord } from '#base/shell-word.js';
import type { Gate } from '../model/gate.js';
import type { RuleVerdict } from '../model/rule.js';
import { verdictText } from './rules/verdict-text.js';

/** Gates of every stage: the release was applied at the stage before; nobody holds it; the stage did not go back from it. */
export const OWN_GATES = ['applied', 'hold', 'rollback'] as const;

/** What gates know of a release on its way to a stage. */
export interface GateFacts {
  /** Such as `dev/r41`. */
  readonly release: string;
  readonly source: string;
  readonly number: number;
  readonly note: string;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly before: StageFacts & SeenFacts;
  readonly target: { readonly environment: string } & SeenFacts;
  readonly production: boolean;
  /** ISO 8601 in UTC. */
  readonly now: string;
  /** Why it must not go on, if somebody said so. */
  readonly hold?: string;
  /** Why it is not taken again, if the stage went back from it. */
  readonly leftBehind?: string;
}

/** What people changed in an environment, as it was seen last; absent if nobody looked since its last apply. */
export interface SeenFacts {
  /** Objects. */
  readonly drifted?: number;
  /** ISO 8601 in UTC. */
  readonly seenAt?: string;
}

/** What is known of a release at the stage before. */
export interface StageFacts {
  readonly environment: string;
  /** When it was applied there completely, ISO 8601 in UTC; absent if it was not. */
  readonly appliedAt?: string;
  /** What became of it there instead. */
  readonly problem?: string;
  readonly hotfixes: number;
  /** The checks that passed there since, by name. */
  readonly passed: readonly string[];
}

/** A gate that a release does not pass, and why, as a sentence. */
export interface ClosedGate {
  readonly gate: string;
  readonly message: string;
}

/** Finds the gates that a release does not pass. Those of the project are asked once it was applied at the stage before. */
export function closedGates(facts: GateFacts, gates: readonly Gate[]): readonly ClosedGate[] {
  const { before, hold, leftBehind } = facts;
  const own = [
    ...(before.appliedAt === undefined ? [{ gate: 'applied', message: before.problem ?? 'It was not applied.' }] : []),
    ...(hold === undefined ? [] : [{ gate: 'hold', message: hold }]),
    ...(leftBehind === undefined ? [] : [{ gate: 'rollback', message: leftBehind }]),
  ];
  return before.appliedAt === undefined ? own : [...own, ...closedConditions(facts, before.appliedAt, gates)];
}

function closedConditions(facts: GateFacts, appliedAt: string, gates: readonly Gate[]): ClosedGate[] {
  const { release: name, source, number, note, createdAt, before, target, production, now } = facts;
  const { environment, hotfixes, passed } = before;
  const variables = {
    ...{ production, now: new Date(now) },
    release: { name, source, number: BigInt(number), note, createdAt: new Date(createdAt) },
    before: {
      environment,
      appliedAt: new Date(appliedAt),
      hotfixes: BigInt(hotfixes),
      passed,
      ...seenVariables(before),
    },
    target: { environment: target.environment, ...seenVariables(target) },
  };
  return gates.flatMap(({ name: gate, message, decide }) => {
    const verdict = decide(variables);
    return verdict.is === 'met' ? [] : [{ gate, message: unseenText(verdict, facts) ?? verdictText(verdict, message) }];
  });
}

const seenVariables = ({ drifted, seenAt }: SeenFacts): object =>
  drifted === undefined || seenAt === undefined ? {} : { drifted: BigInt(drifted), seenAt: new Date(seenAt) };

/** Says who has to look, if a condition needs what nobody has seen. */
function unseenText(verdict: RuleVerdict, { before, target }: GateFacts): string | undefined {
  const [, stage] = verdict.is === 'undecided' ? (UNSEEN.exec(verdict.reason) ?? []) : [];
  if (stage === undefined) return undefined;
  const { environment } = stage === 'before' ? before : target;
  return `Nobody looked for drift in environment "${environment}" since its last apply; \`dexsync drift --env ${shellWord(environment)}\` does.`;
}

const UNSEEN = /^No such key: (before|target)\.(?:drifted|seenAt)\b/;
