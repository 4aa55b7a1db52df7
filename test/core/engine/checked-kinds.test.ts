import { expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { acknowledgedFingerprint } from '#core/engine/acknowledged-steps.js';
import type { JsonObject } from '#core/model/json.js';
import type { Kind } from '#core/model/kind.js';
import { lookupKey, type Observed } from '#core/model/observation.js';
import { READ_ONLY } from '#service/profiles/profile.js';
import { reference } from '#service/profiles/reference.js';
import { type Described, manifestsOf, type Options, planned, STACK } from './planning-world.js';

const kind = builtIn.knownKind('ItemAttribute');
const HAZARD = 'ItemAttribute/Hazard';
const hazard = (spec: JsonObject, metadata: JsonObject = {}): Described => ({
  ...{ kind: 'ItemAttribute', metadata: { name: 'Hazard', ...metadata }, spec },
});
const mapping: Described = {
  ...{ kind: 'ImportDefinition', metadata: { name: 'Hazards' } },
  spec: {
    ...{ resource: 'ITEM_SPECS', mode: 'EDIT' },
    options: {
      mapping: [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' },
        { resource: 'ITEM_SPECS', attribute: 'Hazard', sourceName: 'Hazard' },
      ],
    },
  },
};

const live = (spec: JsonObject, name = 'Hazard', identity = name): Observed => ({
  name,
  spec,
  identity: identity as never,
});

interface World extends Options {
  readonly attributes?: readonly Observed[];
  readonly accepted?: string;
  readonly unlisted?: readonly string[];
}

function plan(described: readonly Described[], { attributes = [], accepted, unlisted = [], ...options }: World = {}) {
  const acknowledgement = { stack: STACK, at: '2026-11-27T10:00:00.000Z', by: 'ann', reason: 'CHG-7' };
  const { findings, plan: made } = planned({
    ...options,
    manifests: manifestsOf(described).manifests,
    observation: {
      objects: new Map(unlisted.length > 0 ? [] : [[kind.name, attributes]]),
      lookups: new Map([[lookupKey('Attribute', 'ITEMS'), attributes.map(({ name }) => [name])]]),
      unlisted: new Set(unlisted),
    },
    facts: new Map(),
    capabilityOf: ({ collection }: Kind) => reference.collections[collection]?.can ?? READ_ONLY,
    ...(accepted === undefined
      ? {}
      : { acknowledged: new Map([[HAZARD as never, { ...acknowledgement, fingerprint: accepted }]]) }),
  });
  const steps = made.steps.map(({ address, action, reason }) => `${address} ${action} ${reason}`);
  return { steps, made, findings: findings.map(({ message }) => message) };
}

const WANTED = { fieldType: 'SINGLE_LINE_TEXT', maxLength: 20 };

test('an object that is as its manifest says needs no step, and nobody has to adopt it', () => {
  const { steps, made } = plan([hazard(WANTED)], { attributes: [live({ ...WANTED, active: true })], adopt: 'never' });
  expect([steps, made.summary.unchanged, made.notes]).toEqual([[], 1, []]);
});

test('a difference is a manual step; a field that the manifest ignores is none', () => {
  const attributes = [live({ ...WANTED, maxLength: 30 })];
  expect(plan([hazard(WANTED)], { attributes }).steps).toEqual([`${HAZARD} manual checked`]);
  expect(plan([hazard(WANTED, { ignore: ['maxLength'] })], { attributes }).steps).toEqual([]);
});

test('a lacking object blocks what refers to it; one that differs does not', () => {
  expect(plan([hazard(WANTED), mapping]).steps).toEqual([
    `${HAZARD} manual not-supported`,
    'ImportDefinition/Hazards blocked dependency-blocked',
  ]);
  const differing = plan([hazard(WANTED), mapping], { attributes: [live({})] });
  expect(differing.steps).toEqual([`${HAZARD} manual checked`, 'ImportDefinition/Hazards create absent']);
  expect(differing.made.steps.map(({ dependsOn }) => dependsOn)).toEqual([[], []]);
});

test('a rename is a manual step, and what uses the new name waits for it', () => {
  const attributes = [live(WANTED, 'Danger')];
  const { steps, made } = plan([hazard(WANTED, { renamedFrom: 'Danger' }), mapping], { attributes });
  expect(steps).toEqual([`${HAZARD} manual renamed`, 'ImportDefinition/Hazards blocked dependency-blocked']);
  expect(made.steps[0]?.fields).toEqual([{ path: 'name', before: 'Danger', after: 'Hazard' }]);
});

test('an accepted difference needs no step until the object changes', () => {
  const attributes = [live({ ...WANTED, maxLength: 30 })];
  const [step] = plan([hazard(WANTED)], { attributes }).made.steps;
  const accepted = acknowledgedFingerprint({ spec: WANTED }, kind, step?.fingerprint ?? '');
  const { steps, made } = plan([hazard(WANTED)], { attributes, accepted });
  expect([steps, made.summary.acknowledged]).toEqual([[], 1]);
  expect(made.notes.map(({ message }) => message)).toEqual([
    `${HAZARD} is not as its manifest says, which ann accepted on 2026-11-27: CHG-7`,
  ]);
  const changed = plan([hazard(WANTED)], { attributes: [live({ ...WANTED, maxLength: 40 })], accepted });
  expect(changed.steps).toEqual([`${HAZARD} manual checked`]);
});

test('what is lacking blocks its dependents though that was accepted', () => {
  const accepted = acknowledgedFingerprint({ spec: WANTED }, kind, 'absent');
  const { steps, made } = plan([hazard(WANTED), mapping], { accepted });
  expect(steps).toEqual(['ImportDefinition/Hazards blocked dependency-blocked']);
  expect(made.steps[0]?.dependsOn).toEqual([]);
});

test('two objects of one name are ambiguous, and a reference to them is refused', () => {
  const attributes = [live(WANTED, 'Hazard', 'A'), live(WANTED, 'Hazard', 'B')];
  const { steps, findings } = plan([hazard(WANTED), mapping], { attributes });
  expect(steps[0]).toBe(`${HAZARD} blocked ambiguous`);
  expect(findings).toEqual([expect.stringContaining('2 objects with this name')]);
});

test('where the service has no such list, the step asks for an acknowledgement', () => {
  expect(plan([hazard(WANTED)], { unlisted: [kind.name] }).steps).toEqual([`${HAZARD} manual not-verifiable`]);
});
