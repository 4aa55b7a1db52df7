import type { Readable } from 'node:stream';

/** One request in the words of the service: a path below its base address. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** `stream`: a successful answer's body is handed on unread. */
  readonly answer?: 'json' | 'stream';
  readonly login?: true;
  /** Not sent again by itself after its session was refused: what it makes would be made twice. */
  readonly once?: true;
}

/** A body as JSON, or as a stream of known size that is never held in memory. */
export type RequestBody =
  | { readonly json: unknown }
  /** `open` gives the bytes afresh for each attempt; a chunk need not last beyond the next one. */
  | { readonly contentType: string; readonly size: number; readonly open: () => AsyncIterable<Buffer> };

/** An answer as it came, whatever its status. */
export interface Answer {
  readonly status: number;
  /** Names in lower case: HTTP compares them without case (interface, section 5). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

/** A body that was read whole, or one that is handed on unread. */
export type AnswerBody = { readonly text: string } | { readonly stream: Readable };

/** Sends one request. Rejects where no answer came, or with what an interceptor makes of the answer. */
export type Send = (request: Request) => Promise<Answer>;

/** One concern of talking to the service, wrapped around the rest. */
export type Interceptor = (next: Send) => Send;

/** A sender with interceptors around it; the first is the outermost. */
export const intercept = (send: Send, interceptors: readonly Interceptor[]): Send =>
  interceptors.reduceRight((inner, interceptor) => interceptor(inner), send);
