import type { Readable } from 'node:stream';

/** One request to the service; the path is relative to its base address. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  /** `stream`: the body of a successful answer is passed on unread. */
  readonly answer?: 'json' | 'stream';
  readonly login?: true;
  /** Not sent again automatically after its session was refused, since it could create an object twice. */
  readonly once?: true;
}

/** A body as JSON, or as a stream of known size that is never held in memory. */
export type RequestBody =
  | { readonly json: unknown }
  /** `open` restarts the bytes for each attempt; a chunk need not stay valid beyond the next one. */
  | { readonly contentType: string; readonly size: number; readonly open: () => AsyncIterable<Buffer> };

/** An answer as it came, with any status. */
export interface Answer {
  readonly status: number;
  /** Names in lower case: HTTP compares them without case (interface, section 5). */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;
}

/** A body that was read whole, or one that is passed on unread. */
export type AnswerBody = { readonly text: string } | { readonly stream: Readable };

/** Sends one request. Rejects if no answer came, or with the error that an interceptor derives from the answer. */
export type Send = (request: Request) => Promise<Answer>;

/** One concern of talking to the service, wrapped around the rest. */
export type Interceptor = (next: Send) => Send;

/** Wraps interceptors around a sender; the first is the outermost. */
export const intercept = (send: Send, interceptors: readonly Interceptor[]): Send =>
  interceptors.reduceRight((inner, interceptor) => interceptor(inner), send);
