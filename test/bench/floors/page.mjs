import { readFileSync } from 'node:fs';
import fastify from 'fastify';

// The first screen as one text, and nothing else: no login, no check, nothing that changes.
const text = readFileSync(JSON.parse(process.argv[2]).text, 'utf8');
const server = fastify({ forceCloseConnections: true });
server.get('/', (_, reply) => reply.type('text/html; charset=utf-8').send(text));
await server.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.addresses()[0].port}/` })}\n`);
process.once('SIGTERM', () => server.close());
