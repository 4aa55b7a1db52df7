import { createServer } from 'node:http';

// Accepts any request and answers with a run: both uploads of the measurement are sent here.
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    const body =
      request.url === '/login'
        ? { sessionId: 'S', workspaceId: 1 }
        : { guid: 'A1B2C3D4E5F6G7H8I9J0', status: 'CREATED', commit: false, totalCount: bytes, successCount: 0 };
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
process.stdin.on('end', () => process.exit(0)).resume();
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
