import type { Diagnostic } from '#base/diagnostics.js';
import { hasWrites, type Plan, type Range } from '#core/model/plan.js';
import type { FleetSettings } from '#project/config/fleet-schema.js';
import type { Spendable } from '../planning/plan-manifests.js';
import { isShort, lastDay, type QuotaNeed, rolloutDays } from './rollout-days.js';
import type { Transition } from './transition.js';

/** What planning came to in one environment of a fleet. */
export type TargetPlan =
  | { readonly environment: string; readonly transition: Transition; readonly spendable: Spendable }
  | { readonly environment: string; readonly problem: Problem };

/** Why an environment could not be planned. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** Errors in the configuration and manifests. */
  readonly findings: readonly Diagnostic[];
}

/** Environments in which the plans change the same. */
export interface PlanGroup {
  readonly digest: string;
  readonly environments: readonly string[];
  /** The plan of the first of them, with references in place of the values of its row. */
  readonly plan: Plan;
  /** The values of each, by reference. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The plans of a fleet, equal ones as one group, the largest first. */
export interface FleetPlan {
  readonly stack: string;
  readonly fleet: string;
  /** The release that is promoted to all of them. */
  readonly release?: string;
  readonly targets: number;
  /** How many users log in to the targets: one after the other in those of one user. */
  readonly sessions: number;
  /** How many targets are worked on at once at most. */
  readonly atOnce: number;
  /** The largest number of targets of one user. */
  readonly inTurn: number;
  readonly groups: readonly PlanGroup[];
  /** Environments in which nothing is to be done. */
  readonly unchanged: readonly string[];
  readonly problems: readonly (Problem & { readonly environment: string })[];
  readonly requests: {
    readonly used: number;
    readonly apply: Range;
    /** Environments whose quota of today is too small for their plan, and about how many days each takes. */
    readonly short: readonly (QuotaNeed & { readonly days: number | null })[];
    /** About how many days the rollout takes by the quotas, without soaks and approvals; null if that is not known. */
    readonly days: number | null;
  };
}

type Collected = Pick<FleetPlan, 'groups' | 'unchanged' | 'problems' | 'requests'>;

/** Collects the plans of a fleet as they come, and keeps one of each group. */
export class PlanCollector {
  readonly #groups = new Map<
    string,
    Pick<PlanGroup, 'plan'> & { readonly values: Map<string, Transition['values']> }
  >();
  readonly #unchanged: string[] = [];
  readonly #problems: FleetPlan['problems'][number][] = [];
  readonly #needs: QuotaNeed[] = [];
  readonly #sums = { used: 0, min: 0, max: 0 };

  add(target: TargetPlan): void {
    const { environment } = target;
    if ('problem' in target) {
      this.#problems.push({ environment, ...target.problem });
      return;
    }
    const { digest, plan, values } = target.transition;
    this.#price(plan.requests);
    if (hasWrites(plan)) this.#needs.push({ environment, apply: plan.requests.apply, ...target.spendable });
    if (plan.steps.length === 0) {
      this.#unchanged.push(environment);
      return;
    }
    const group = this.#groups.get(digest) ?? { plan, values: new Map() };
    group.values.set(environment, values);
    this.#groups.set(digest, group);
  }

  #price({ used, apply }: Plan['requests']): void {
    this.#sums.used += used;
    this.#sums.min += apply.min;
    this.#sums.max += apply.max;
  }

  /** What was collected: groups by size, environments in the given order. */
  inOrder(environments: readonly string[], settings: Pick<FleetSettings, 'canary' | 'waves'>): Collected {
    const places = new Map(environments.map((name, index) => [name, index]));
    const placeOf = (name: string): number => places.get(name) ?? 0;
    const byName = (one: string, other: string): number => placeOf(one) - placeOf(other);
    const by = (one: Named, other: Named): number => byName(one.environment, other.environment);
    const groups = [...this.#groups].map(([digest, { plan, values }]): PlanGroup => {
      const names = [...values.keys()].sort(byName);
      return {
        digest,
        environments: names,
        plan,
        values: Object.fromEntries(names.map((name) => [name, values.get(name) ?? {}])),
      };
    });
    const { used, ...apply } = this.#sums;
    const needs = this.#needs.toSorted(by);
    const short = needs.filter(isShort).map((need) => ({ ...need, days: lastDay(need) }));
    return {
      groups: groups.sort(
        ({ environments: one }, { environments: other }) =>
          other.length - one.length || byName(one[0] ?? '', other[0] ?? ''),
      ),
      unchanged: this.#unchanged.toSorted(byName),
      problems: this.#problems.toSorted(by),
      requests: { used, apply, short, days: rolloutDays(needs, settings) },
    };
  }
}

interface Named {
  readonly environment: string;
}
