import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Keys, Parameter } from './keys.js';

/** A request that a rule may be about. */
export interface Asked {
  readonly method: string;
  /** With its query. */
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

/** What the client gets: an answer, whole or not, or none. */
export type Outcome = (Answer & { readonly sent?: 'half' | { readonly bytesPerSecond: number } }) | 'reset' | 'hang';

/** What an action may do and know while a request waits for it. */
export interface Scene {
  readonly asked: Asked;
  /** What the URL was answered before, the last one last. */
  readonly earlier: readonly Answer[];
  /** Lets the service do what was asked. */
  deliver(): Promise<Answer>;
  /** What the service has at another URL, for the same session; the request is neither counted nor logged. */
  read(url: string): Promise<Answer>;
  /** Says that the fault strikes. To be called once, just before the client could notice. */
  tell(): Promise<void>;
  /** At least 0, less than 1; the same ones for the same seed. */
  draw(): number;
  wait(milliseconds: number): Promise<void>;
  endSession(): void;
  /** Opens another session of the same user, which ends this one. */
  takeOver(): void;
}

/** Decides whether and how often the service does what was asked, and what is answered. */
interface Carrying {
  readonly takes: readonly Parameter[];
  readonly carryOut: (keys: Keys, scene: Scene) => Promise<Outcome>;
}

/** Alters an answer after the service did what was asked; answers to which it does not apply do not count. */
interface Altering {
  readonly takes: readonly Parameter[];
  readonly appliesTo: (answer: Answer, scene: Scene, keys: Keys) => boolean;
  readonly alter: (answer: Answer, scene: Scene, keys: Keys) => Outcome | Promise<Outcome>;
}

/** What can happen to a request. */
export type Action = Carrying | Altering;
