import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../../dist/base/sqlite/sqlite.js';

// The least of the embedded workspace that keeps user groups and the log of requests where a killed process leaves them.
const folder = mkdtempSync(join(tmpdir(), 'dexsync-bench-'));
const groups = await open(
  'groups.db',
  'CREATE TABLE groups (guid TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, enabled INTEGER NOT NULL, assignability TEXT NOT NULL)',
);
const log = await open(
  'log.db',
  'CREATE TABLE log (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL)',
);
const insert = groups.prepare('INSERT INTO groups VALUES (?, ?, ?, ?, ?)');
const update = groups.prepare(
  'UPDATE groups SET name = ?, description = ?, enabled = ?, assignability = ? WHERE guid = ?',
);
const select = groups.prepare('SELECT * FROM groups WHERE guid = ?');
const note = log.prepare('INSERT INTO log (at, method, path, status) VALUES (?, ?, ?, ?)');
const token = randomBytes(32).toString('base64url');
const path = '/settings/usergroups/';

const answers = {
  POST(_, body) {
    const guid = randomBytes(10).toString('hex').toUpperCase();
    stored(() => insert.run(guid, ...values(body)));
    return [201, shown(select.get(guid))];
  },
  GET: (url) => [200, shown(select.get(url.slice(path.length)))],
  PUT(url, body) {
    const guid = url.slice(path.length);
    stored(() => update.run(...values(body), guid));
    return [200, shown(select.get(guid))];
  },
};

const server = createServer((request, response) => {
  let text = '';
  request
    .setEncoding('utf8')
    .on('data', (chunk) => {
      text += chunk;
    })
    .on('end', () => answer(request, text, response));
});
process.on('disconnect', () => {
  server.close(() => rmSync(folder, { recursive: true, force: true }));
  server.closeAllConnections();
});
server.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  process.stdout.write(`${JSON.stringify({ url, email: 'a@b.c', password: 'p' })}\n`);
});

function answer({ method, url, headers }, text, response) {
  if (url === '/login') return send(response, 200, { sessionId: token });
  if (headers['service-session-id'] !== token) return send(response, 401, {});
  const [status, body] = answers[method](url, text === '' ? undefined : JSON.parse(text));
  record(method, url, status);
  return send(response, status, body);
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}

let began = false;
function record(method, url, status) {
  if (!began) {
    began = true;
    log.exec('BEGIN');
    setTimeout(() => {
      began = false;
      log.exec('COMMIT');
    }, 100);
  }
  note.run(Date.now(), method, url, status);
}

function stored(work) {
  groups.exec('BEGIN IMMEDIATE');
  work();
  groups.exec('COMMIT');
}

const values = ({ name, description, enabled, assignability }) => [
  name,
  description,
  Number(enabled),
  JSON.stringify(assignability),
];

const shown = ({ guid, name, description, enabled, assignability }) => ({
  guid,
  name,
  description,
  enabled: enabled === 1,
  assignability: JSON.parse(assignability),
});

async function open(file, tables) {
  const database = await connect(join(folder, file));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${tables}`);
  return database;
}
