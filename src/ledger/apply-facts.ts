import { isObject, type JsonObject } from '../model/json.js';

/** Who carried out a plan, where, from what and why. The first record of a journal has it; those of old versions have not. */
export interface ApplyFacts {
  /** `apply`, `import`, `reservations release`. */
  readonly command: string;
  /** The whole command line, without values of variables and columns. */
  readonly arguments?: readonly string[];
  readonly environment: string;
  readonly stack: string;
  readonly actor: Actor;
  /** The machine, the process on it, and the version of dexsync. */
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** Of the project's folder; absent where it is in no repository, or git was not there or too slow. */
  readonly git?: GitFacts;
  /** The pipeline's run, where it was one. */
  readonly ci?: PipelineRun;
  /** `--reason`. */
  readonly reason?: string;
  /** SHA-256 of the plan as canonical JSON. */
  readonly digest: string;
}

export interface Actor {
  /** The e-mail address that was logged in at the service. */
  readonly login: string;
  /** The user of the operating system, where it has one. */
  readonly user?: string;
}

export interface GitFacts {
  readonly commit: string;
  /** Absent where no branch was checked out. */
  readonly branch?: string;
  /** Whether the repository held anything that was not committed, dexsync's own data aside. */
  readonly dirty: 'yes' | 'no';
}

export interface PipelineRun {
  readonly name: string;
  readonly url?: string;
  /** Who started it. */
  readonly by?: string;
}

/** Whether facts, which anybody may have edited, have all that is shown of them. */
export const isApplyFacts = (value: unknown): value is ApplyFacts =>
  isObject(value) &&
  texts(value, ['command', 'environment', 'stack', 'host', 'version', 'digest'], ['reason']) &&
  typeof value.pid === 'number' &&
  isObject(value.actor) &&
  texts(value.actor, ['login'], ['user']) &&
  (value.arguments === undefined || isTexts(value.arguments)) &&
  (value.git === undefined || (isObject(value.git) && texts(value.git, ['commit', 'dirty'], ['branch']))) &&
  (value.ci === undefined || (isObject(value.ci) && texts(value.ci, ['name'], ['url', 'by'])));

const texts = (value: JsonObject, needed: readonly string[], optional: readonly string[]): boolean =>
  needed.every((key) => typeof value[key] === 'string') &&
  optional.every((key) => ['string', 'undefined'].includes(typeof value[key]));

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');
