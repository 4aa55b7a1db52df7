import { openSession, readList } from './session.mjs';

// The requests of a change in many workspaces, and nothing else: each visit logs in and reads, one that writes sends an object as
// it is.
const { sites, atOnce, visits, ...service } = JSON.parse(process.argv[2]);

for (const write of visits) {
  const waiting = [...sites];
  const work = async () => {
    for (let site = waiting.shift(); site !== undefined; site = waiting.shift()) await visit(site, write);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
process.stdout.write(`${sites.length} sites\n`);

async function visit(site, write) {
  const { send, close } = await openSession({ ...service, ...site });
  const all = await readList(send, '/settings/usergroups');
  const group = all.find(({ name }) => name === 'Group 00001');
  const { guid, name, description, enabled, assignability } = group;
  if (write) await send('PUT', `/settings/usergroups/${guid}`, { name, description, enabled, assignability });
  await close();
}
