import { groups } from '../project.mjs';
import { openSession, readList } from './session.mjs';

const AT_ONCE = 8;

const { count, ...login } = JSON.parse(process.argv[2]);
const { send, close } = await openSession(login);
await readList(send, '/settings/usergroups');
const waiting = groups(count);
let made = 0;
const work = async () => {
  for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) {
    await send('POST', '/settings/usergroups', group);
    made += 1;
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
await close();
process.stdout.write(`${made} made\n`);
