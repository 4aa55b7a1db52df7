import type { Address } from '../../model/address.js';
import type { Manifest } from '../../model/document.js';
import type { GuardFinding, GuardName, GuardSettings, Override } from '../../model/guards.js';
import type { JobFacts } from '../../model/job-facts.js';
import type { Kind } from '../../model/kind.js';
import type { Capability } from '../../model/observation.js';
import type { Plan, Step } from '../../model/plan.js';
import type { Rule } from '../../model/rule.js';
import type { Facts } from '../find-live.js';
import type { currentNames } from '../follow-renames.js';
import type { PriceAtEnd } from '../price.js';

/** What is allowed in an environment, and what was agreed to for this plan. */
export interface GuardOptions {
  readonly settings: GuardSettings;
  /** Whether mistakes are expensive there. */
  readonly production: boolean;
  /** The rules of this environment. */
  readonly rules: readonly Rule[];
  readonly allow: readonly Override[];
  /** Guards that the command itself overrides, since it asks for just what they forbid. */
  readonly implied?: readonly GuardName[];
  /** Reports steps that the caller of the planner leaves to a person. */
  readonly hold?: (steps: readonly Step[]) => GuardFinding[];
  /** The workspace that `--confirm` named. */
  readonly confirmed?: string;
  /** Runs a rule; throws an error that says so if that takes too long. */
  readonly bounded: <T>(work: () => T) => T;
  /** How many manifests describe an object; jobs do not count. */
  readonly described: number;
}

/** What guards check besides the steps. */
export interface GuardInput extends GuardOptions {
  readonly stack: string;
  readonly environment: string;
  readonly workspace: Plan['workspace'];
  readonly createdAt: string;
  /** Requests that planning used. */
  readonly used: number;
  /** Counts of the steps before any of them was denied. */
  readonly summary: Plan['summary'];
  readonly jobs: readonly JobFacts[];
  readonly manifests: readonly Manifest[];
  /** Live objects that manifests describe or that this stack owns, by kind. */
  readonly existing: ReadonlyMap<string, number>;
  readonly atEnd?: PriceAtEnd;
  readonly facts: Facts;
  /** Costs a pass over all objects, so only guards that compare references call it. */
  readonly currentNames: () => ReturnType<typeof currentNames>;
  readonly kindNamed: (name: string) => Kind;
  readonly capabilityOf: (kind: Kind) => Capability;
}

/** A pure check that objects to a part of a plan, with numbers. */
export type Guard = (steps: readonly Step[], input: GuardInput) => GuardFinding[];

/** Returns a finding that `--allow` overrides: it denies, or warns that it was allowed. */
export function overridableFinding(
  guard: Override,
  { allow }: Pick<GuardOptions, 'allow'>,
  fact: string,
  addresses: readonly Address[],
): GuardFinding {
  const override = `--allow ${guard}`;
  return allow.includes(guard)
    ? { guard, severity: 'warn', message: `${fact}; allowed by \`${override}\`.`, override, addresses }
    : { guard, severity: 'deny', message: `${fact}. This needs \`${override}\`.`, override, addresses };
}

/** Returns the addresses that a finding names. */
export const stepAddresses = (steps: readonly Step[]): Address[] => steps.map(({ address }) => address);

/** Whether a step removes an object, by deleting it or by renaming it away. */
export const isDelete = ({ action }: Step): boolean => action === 'delete' || action === 'retire';

/** Whether a step replaces an object by a new one. */
export const isReplacement = ({ action }: Step): boolean => action === 'replace';
