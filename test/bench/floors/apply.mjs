import { fdatasyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { groups } from '../project.mjs';
import { openSession, readList } from './session.mjs';

const AT_ONCE = 8;

const { count, manifests, journal, ...login } = JSON.parse(process.argv[2]);

const waiting = manifests === undefined ? groups(count) : readGroups();

function readGroups() {
  const texts = readdirSync(manifests).map((file) => readFileSync(join(manifests, file), 'utf8'));
  const read = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  return read.map(({ metadata: { name }, spec }) => ({ name, ...spec }));
}

const file = journal === undefined ? undefined : openSync(journal, 'w');
const record = (line) => {
  if (file !== undefined) writeSync(file, `${JSON.stringify(line)}\n`);
};
const sync = () => {
  if (file !== undefined) fdatasyncSync(file);
};

const { send, close } = await openSession(login);
await readList(send, '/settings/usergroups');
record({ plan: waiting });
sync();
let made = 0;
const work = async () => {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    record({ intent: group.name });
    await send('POST', '/settings/usergroups', group);
    record({ outcome: group.name });
    made += 1;
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
sync();
await close();
process.stdout.write(`${made} made\n`);
