import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import { diffSpec } from '#core/engine/diff.js';
import { link } from '#core/engine/link.js';
import { makePlan } from '#core/engine/plan.js';
import { overlay } from '#core/engine/spec-after.js';
import { wholeSpec } from '#core/engine/whole-spec.js';
import { addressOf } from '#core/model/address.js';
import { manifestAt } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { Plan } from '#core/model/plan.js';
import { scaled } from '../../harness/sample.js';
import { cases } from './generators.js';

const schemaOf = (kind: string): object => builtIn.knownKind(kind).schema;

test('a plan of promoted objects says where they come from, and where they differ', () => {
  const origin = { file: 'environment dev', line: 1, column: 1, layer: 'environment' };
  const manifests = [manifestAt(origin, addressOf('UserGroup', 'A'), { description: 'x', members: ['nobody'] })];
  const observation = {
    objects: new Map([['UserGroup', [{ name: 'A', spec: { description: 'y' }, identity: 'a' }]]]),
    lookups: new Map(),
    unlisted: new Set<string>(),
  };
  const facts = new Map([
    [addressOf('UserGroup', 'A'), { stack: 's', how: 'created' as const, applied: {}, protect: false, identity: 'a' }],
  ]);
  const { edges, described } = link(manifests, schemaOf);
  const { bound, diagnostics } = bind(manifests, observation, schemaOf, 'Prod', facts, described, 'among them');
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'UserGroup/A refers to User/nobody, which is neither among them nor in environment "Prod".',
  ]);
  const promoted: NonNullable<Plan['promoted']> = { environment: 'dev', workspace: 'Dev', as: 'live', closure: [] };
  const plan = makePlan({
    deciding: { stack: 's', adopt: 'never', replace: new Set(), asking: 'environment "dev"' },
    ...{ environment: 'prod', workspace: { id: '1', name: 'Prod', identity: 'test/1' } },
    ...{ manifests, edges, bound, observation, facts, promoted, jobs: [] },
    prune: { is: 'no', described, mayDelete: () => false },
    kindNamed: (name) => builtIn.kindNamed(name) as Kind,
    capabilityOf: () => ({
      ...{ list: true, create: true, delete: true, updateBody: 'full' },
      update: ['description'],
      children: ['members'],
    }),
    requests: { used: 0, remaining: null },
    ...{ nonce: 'n', createdAt: '2026-01-01T00:00:00.000Z' },
  });
  expect(plan.promoted).toEqual(promoted);
  expect(plan.steps.map(({ message }) => message)).toEqual(['2 fields differ from environment "dev".']);
});

test('an object promoted as a whole does not differ from its source', () => {
  const pairs = fc
    .tuple(cases, cases)
    .map(([one, other]) =>
      one.scene.live.flatMap(({ kind, spec }) =>
        other.scene.live
          .filter((placed) => placed.kind === kind)
          .map((placed) => ({ kind, from: spec, to: placed.spec })),
      ),
    );
  fc.assert(
    fc.property(pairs, (all) => {
      for (const { kind, from, to } of all) {
        const schema = schemaOf(kind);
        const after = overlay(schema, wholeSpec(schema, from, to), to);
        expect(diffSpec(schema, wholeSpec(schema, from, after), after)).toEqual([]);
        expect(diffSpec(schema, wholeSpec(schema, after, from), from)).toEqual([]);
      }
    }),
    { numRuns: scaled(20_000, 100) },
  );
});
