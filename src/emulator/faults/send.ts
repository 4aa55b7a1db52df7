import type { ServerResponse } from 'node:http';
import type { Outcome } from './action.js';

const SLICES_PER_SECOND = 20;

/** The headers of another connection's answer: this connection has its own. */
const OF_A_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'];

/** Sends the outcome of a request to its client. */
export function send(outcome: Outcome, response: ServerResponse): void {
  if (outcome === 'hang') return;
  if (outcome === 'reset') return void response.socket?.resetAndDestroy();
  const { status, headers, body, sent } = outcome;
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_A_CONNECTION.includes(name)) response.setHeader(name, value);
  response.writeHead(status, status === 204 ? {} : { 'content-length': body.length });
  if (sent === undefined) return void response.end(body);
  if (sent === 'half') return void response.write(body.subarray(0, body.length / 2), () => response.destroy());
  drip(response, body, Math.max(1, Math.round(sent.bytesPerSecond / SLICES_PER_SECOND)));
}

function drip(response: ServerResponse, body: Buffer, size: number): void {
  if (response.destroyed) return;
  response.write(body.subarray(0, size));
  const rest = body.subarray(size);
  if (rest.length === 0) return void response.end();
  setTimeout(() => drip(response, rest, size), 1000 / SLICES_PER_SECOND).unref();
}
