import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Keys, Parameter } from './keys.js';

/** A request that a rule may match. */
export interface InterceptedRequest {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** The result that the client sees: an answer, complete or not, or none. */
export type Outcome = (Answer & { readonly sent?: 'half' | { readonly bytesPerSecond: number } }) | 'reset' | 'hang';

/** The context of an action while a request waits for it. */
export interface ActionContext {
  readonly asked: InterceptedRequest;
  /** Earlier answers of this URL, the newest last. */
  readonly earlier: readonly Answer[];
  /** Passes the request on to the service. */
  deliver(): Promise<Answer>;
  /** Reads another URL in the same session; the request is neither counted nor logged. */
  read(url: string): Promise<Answer>;
  /** Reports that the fault strikes. Call it once, just before the client could notice. */
  tell(): Promise<void>;
  /** Returns a number from 0 up to, but not including, 1; the same seed gives the same numbers. */
  draw(): number;
  wait(milliseconds: number): Promise<void>;
  endSession(): void;
  /** Opens another session of the same user, which ends this one. */
  takeOver(): void;
}

/** Decides whether and how often a request reaches the service, and how it is answered. */
interface DeliveryAction {
  readonly takes: readonly Parameter[];
  readonly carryOut: (keys: Keys, scene: ActionContext) => Promise<Outcome>;
}

/** Alters an answer after the service processed the request; answers that it does not apply to are not counted. */
interface AnswerAction {
  readonly takes: readonly Parameter[];
  readonly appliesTo: (answer: Answer, scene: ActionContext, keys: Keys) => boolean;
  readonly alter: (answer: Answer, scene: ActionContext, keys: Keys) => Outcome | Promise<Outcome>;
}

/** A fault that can be applied to a request. */
export type Action = DeliveryAction | AnswerAction;
