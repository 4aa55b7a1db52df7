import type { ActionContext, Answer, InterceptedRequest, Outcome } from './action.js';
import { checkFaults, type FaultFile } from './fault-file.js';
import { MOST_REMEMBERED } from './keys.js';
import { Rule, type RuleReport } from './rule.js';

/** A fault that strikes, as reported to a program that hosts the service. */
export interface Strike {
  /** The number of the rule, from 1. */
  readonly rule: number;
  readonly method: string;
  readonly path: string;
}

export type OnStrike = (strike: Strike) => void | Promise<void>;

/** The service behind the faults. */
export interface BackingService {
  deliver(asked: InterceptedRequest): Promise<Answer>;
  /** Reads a URL with a request that is neither counted nor logged. */
  read(url: string, asked: InterceptedRequest): Promise<Answer>;
  /** Returns the e-mail address of the user who sends the request. */
  userOf(asked: InterceptedRequest): string | undefined;
  endSession(asked: InterceptedRequest): void;
  takeOver(asked: InterceptedRequest): void;
}

/** The remembered answers of each URL, the newest last. */
export type AnswerHistory = Map<string, Answer[]>;

/** Paths that no fault applies to: the control of faults, and the description of the interface. */
const SPARED = ['/embedded/faults', '/embedded/reset', '/openapi.json'];

/** Applies faults to requests until others replace them. */
export class ArmedFaults {
  readonly #rules: readonly Rule[];
  readonly #behind: BackingService;
  readonly #memory: AnswerHistory;
  readonly #onStrike: OnStrike;
  readonly #draw: () => number;

  /** Throws a FaultFileError if the file is not valid. */
  constructor(file: FaultFile, behind: BackingService, memory: AnswerHistory, onStrike: OnStrike = () => undefined) {
    const { seed = 1, faults } = checkFaults(file);
    this.#rules = faults.map((fault) => new Rule(fault));
    this.#behind = behind;
    this.#memory = memory;
    this.#onStrike = onStrike;
    this.#draw = seededRandom(seed);
  }

  report(): readonly RuleReport[] {
    return this.#rules.map((rule) => rule.report());
  }

  /** Whether a fault may apply to a request, so that its body must be read. */
  mayMeet(method: string, path: string): boolean {
    return !SPARED.includes(path) && this.#rules.some((rule) => rule.mayMeet(method, path));
  }

  /** Decides the outcome of a request: the rules that match it count it, and the first that is due strikes. */
  async meet(asked: InterceptedRequest): Promise<Outcome> {
    const sender = this.#behind.userOf(asked);
    const meeting = this.#rules.filter((rule) => rule.meets(asked, sender));
    const [due] = meeting.filter((rule) => 'carryOut' in rule.action && rule.count());
    if (due && 'carryOut' in due.action) return due.action.carryOut(due.fault, this.#scene(asked, due));
    const answer = await this.#behind.deliver(asked);
    return this.#alter(answer, asked, meeting);
  }

  async #alter(answer: Answer, asked: InterceptedRequest, meeting: readonly Rule[]): Promise<Outcome> {
    let altered: (() => Promise<Outcome>) | undefined;
    let isFrozen = false;
    for (const rule of meeting) {
      const { action, fault } = rule;
      const scene = this.#scene(asked, rule);
      if (!('alter' in action) || !action.appliesTo(answer, scene, fault) || !rule.count() || altered) continue;
      isFrozen = fault.do === 'stale' && fault.lag === undefined;
      altered = async () => {
        const outcome = await action.alter(answer, scene, fault);
        await scene.tell();
        return outcome;
      };
    }
    const outcome = (await altered?.()) ?? answer;
    if (!isFrozen) this.#remember(asked, answer);
    return outcome;
  }

  #remember({ method, url }: InterceptedRequest, answer: Answer): void {
    if (method !== 'GET') return;
    this.#memory.set(url, [...(this.#memory.get(url) ?? []), answer].slice(-MOST_REMEMBERED));
  }

  #scene(asked: InterceptedRequest, rule: Rule): ActionContext {
    const { method, path, url } = asked;
    return {
      asked,
      earlier: this.#memory.get(url) ?? [],
      deliver: async () => {
        const answer = await this.#behind.deliver(asked);
        this.#remember(asked, answer);
        return answer;
      },
      read: (other) => this.#behind.read(other, asked),
      tell: async () => {
        rule.note(asked);
        await this.#onStrike({ rule: this.#rules.indexOf(rule) + 1, method, path });
      },
      draw: this.#draw,
      wait: (milliseconds) => new Promise((done) => void setTimeout(done, milliseconds).unref()),
      endSession: () => this.#behind.endSession(asked),
      takeOver: () => this.#behind.takeOver(asked),
    };
  }
}

/** Returns a generator of numbers from 0 to 1; the same seed gives the same numbers (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
