import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { openSession, readList } from './session.mjs';

const { manifests, ...login } = JSON.parse(process.argv[2]);
const { send, close } = await openSession(login);
const live = await readList(send, '/settings/usergroups');
await close();
const texts = readdirSync(manifests).map((file) => readFileSync(join(manifests, file), 'utf8'));
const read = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
process.stdout.write(`${live.length} objects, ${read.length} manifests\n`);
