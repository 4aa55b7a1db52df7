import type { Address } from './address.js';
import { type Shape, Type } from './schema.js';

/** Guards that `--allow` switches off for one plan. */
export const OVERRIDES = [
  'deletes',
  'changed-deletes',
  'replacements',
  'import-rows',
  'empty-input',
  'max-requests',
] as const;
/** A guard that the user can switch off for one plan. */
export type Override = (typeof OVERRIDES)[number];

/** The guard of a finding. `production`, `rule`, and `policy` (that of a watch) have no override; `gate` is one of a promotion. */
export type GuardName = Override | 'production' | 'rule' | 'policy' | 'gate';

/** The schema of `GuardFinding`, as plans carry it. */
export const guardFindingSchema = Type.Object({
  guard: Type.Unsafe<GuardName>({ type: 'string', minLength: 1 }),
  severity: Type.Union([Type.Literal('deny'), Type.Literal('warn')]),
  message: Type.String({ description: 'With numbers, and with the override if there is one.' }),
  override: Type.Optional(
    Type.String({ description: 'The option that allows, or has allowed, the steps. Rules have none.' }),
  ),
  rule: Type.Optional(Type.String({ description: "The rule's name." })),
  addresses: Type.Array(Type.Unsafe<Address>({ type: 'string' }), { description: 'The steps concerned.' }),
});

/** A finding of a guard or a user-defined rule about a plan. Denied steps are blocked, warnings are only shown. */
export interface GuardFinding extends Shape<typeof guardFindingSchema> {}

/** The limit on objects of one kind, or records of one import, that a plan may delete or replace. */
export interface Cap {
  readonly count?: number;
  /** The percentage of all of them; applies once `from` of them exist. */
  readonly percent: number;
  readonly from: number;
}

/** The limits of one environment, with defaults filled in. */
export interface GuardSettings {
  readonly deletes: Cap;
  readonly replacements: Cap;
  /** Records of one import that its file no longer has. */
  readonly missingRows: Cap;
  /** Rows of one import that deletes or replaces records. */
  readonly importRows: number;
  readonly maxRequests?: number;
}
