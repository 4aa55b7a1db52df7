import { expect, test } from 'vitest';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Observed } from '#core/model/observation.js';
import { READ_ONLY } from '#service/profiles/profile.js';
import { reference } from '#service/profiles/reference.js';
import { manifestsOf, type Options, planned, STACK } from './planning-world.js';

const A = 'BomSettings/A-1';
const live: Observed = { name: 'A-1', spec: { checkReferenceDesignators: true }, identity: 'i' as never };
const fact = (stack: string): ObjectFact => ({
  ...{ stack, how: 'adopted', protect: false, identity: 'i' as never },
  applied: { checkReferenceDesignators: true },
});

interface World extends Options {
  readonly spec?: JsonObject;
  readonly owner?: string;
  readonly there?: readonly Observed[];
}

function stepsOf({ spec, owner, there = [live], ...options }: World): string[] {
  const described = spec === undefined ? [] : [{ kind: 'BomSettings', metadata: { name: 'A-1' }, spec }];
  const { plan } = planned({
    ...options,
    manifests: manifestsOf(described).manifests,
    observation: { objects: new Map([['BomSettings', there]]), lookups: new Map(), unlisted: new Set() },
    facts: new Map(owner === undefined ? [] : [[A as never, fact(owner)]]),
    capabilityOf: ({ collection }: Kind) => reference.collections[collection]?.can ?? READ_ONLY,
  });
  return plan.steps.map(({ address, action, message }) => `${address} ${action}: ${message}`);
}

test.each<[string, World, readonly string[]]>([
  [
    'settings that differ are set by the first stack that describes them, which then owns them',
    { spec: { checkReferenceDesignators: false }, adopt: 'never' },
    [
      `${A} update: No stack has described these settings before. It is adopted. checkReferenceDesignators differs from the manifest.`,
    ],
  ],
  [
    'settings that are as the manifest says are only recorded',
    { spec: { checkReferenceDesignators: true } },
    [
      `${A} adopt: No stack has described these settings before. It matches the manifest and is adopted; nothing is sent.`,
    ],
  ],
  ['own settings that are as the manifest says need nothing', { spec: {}, owner: STACK }, []],
  [
    'settings of an object that is not there wait for it',
    { spec: { checkReferenceDesignators: true }, there: [] },
    [
      `${A} manual: The workspace has no object with the number "A-1", whose settings these are. Once it exists, the next plan sets them.`,
    ],
  ],
  [
    'without a manifest they are only forgotten',
    { owner: STACK, prune: 'yes' },
    [`${A} forget: Settings stay as they are when no manifest describes them; their ledger entry is removed.`],
  ],
])('%s', (_, world, steps) => {
  expect(stepsOf(world)).toEqual(steps);
});

test('settings of another stack stay its own', () => {
  expect(stepsOf({ spec: { checkReferenceDesignators: false }, owner: 'other' })).toEqual([
    expect.stringContaining(`${A} blocked: It belongs to the stack "other"`),
  ]);
});
