import { builtIn } from '../../dist/core/catalog.js';
import { bind } from '../../dist/core/engine/bind.js';
import { link } from '../../dist/core/engine/link.js';
import { makePlan } from '../../dist/core/engine/plan.js';
import { addressOf } from '../../dist/core/model/address.js';
import { originsAt } from '../../dist/core/model/document.js';
import { reference } from '../../dist/service/profiles/reference.js';
import { groups } from './project.mjs';

// Plans this many groups this many times, and prints the CPU time that it took.
const [objects, times] = process.argv.slice(2).map(Number);

const origin = { file: 'groups.yaml', line: 1, column: 1, layer: 'base' };
const origins = originsAt(origin);
const schemaOf = (kind) => builtIn.manifestTypeNamed(kind)?.schema ?? {};

const all = groups(objects).map(({ name, ...spec }) => ({ name, spec, address: addressOf('UserGroup', name) }));
const manifests = all.map(({ name, spec, address }, index) => {
  const description = index % 100 === 0 ? 'changed' : spec.description;
  return { address, kind: 'UserGroup', metadata: { name }, spec: { ...spec, description }, origins };
});
const live = all.map(({ name, spec }) => ({ name, spec, identity: name }));
const observation = { objects: new Map([['UserGroup', live]]), lookups: new Map(), unlisted: new Set() };
const facts = new Map(
  all.map(({ name, spec, address }) => [
    address,
    { stack: 'bench', how: 'created', applied: spec, protect: false, identity: name },
  ]),
);

const begin = process.cpuUsage();
for (let time = 0; time < times; time += 1) planOnce();
const { user, system } = process.cpuUsage(begin);
process.stdout.write(`CPU ${Math.round((user + system) / 1000)} ms\n`);

function planOnce() {
  const linked = link(manifests, schemaOf);
  const { bound } = bind(manifests, observation, schemaOf, 'bench', facts);
  const plan = makePlan({
    deciding: { stack: 'bench', adopt: 'never', replace: new Set() },
    environment: 'bench',
    workspace: { id: '1', name: 'bench', identity: 'bench/1' },
    manifests,
    edges: linked.edges,
    bound,
    observation,
    facts,
    prune: { is: 'yes', described: new Set(facts.keys()), mayDelete: () => true },
    jobs: [],
    kindNamed: builtIn.kindNamed,
    capabilityOf: (kind) => reference.collections[kind.collection].can,
    requests: { used: 0, remaining: null },
    nonce: 'n',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  if (plan.summary.update !== objects / 100) throw new Error(`${plan.summary.update} updates`);
}
