import { describe, expect, test } from 'vitest';
import { builtIn } from '#core/catalog.js';
import { bind } from '#core/engine/bind.js';
import { type Linked, link } from '#core/engine/link.js';
import { makePlan } from '#core/engine/plan.js';
import { prune } from '#core/engine/prune.js';
import {
  excludedFindings,
  kindsNamed,
  mayPrune,
  mayReferTo,
  narrowToPatterns,
  type Pattern,
  type Patterns,
  patternsWithoutMatch,
  pruneFindings,
  select,
} from '#core/engine/selection.js';
import { assemble } from '#core/manifest/assemble.js';
import { parseYaml } from '#core/manifest/parse.js';
import { validateManifests } from '#core/manifest/validate.js';
import type { Address } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { Observation } from '#core/model/observation.js';
import { manifest } from '../../harness/manifest.js';

const EDIT = { resource: 'ITEM', action: 'EDIT' };

/** Integration -> trigger; policy -> two groups; the second import -> the first, both -> their definitions. */
const FILES: Readonly<Record<string, string>> = {
  'manifests/groups.yaml':
    manifest('UserGroup', 'Quality', {}, { labels: { team: 'quality' } }) +
    manifest('UserGroup', 'Buyers (EU)', {}, { labels: { team: 'buying', site: '' } }) +
    manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }),
  'manifests/teams/policies.yaml': manifest(
    'Policy',
    'Quality',
    { userGroups: ['Quality', 'Buyers (EU)'] },
    { labels: { team: 'quality' } },
  ),
  'manifests/events.yaml': manifest('Trigger', 'T', EDIT) + manifest('OutboundIntegration', 'ERP', { triggers: ['T'] }),
  'manifests/imports.yaml':
    manifest('ImportDefinition', 'Items', { resource: 'ITEM_SPECS', mode: 'CREATE' }) +
    manifest('ImportDefinition', 'Lines', { resource: 'ITEM_BOM', mode: 'CREATE' }) +
    manifest('Import', 'Parts', { definition: 'Items', source: { file: 'a.csv' } }) +
    manifest('Import', 'Bom', { definition: 'Lines', source: { file: 'b.csv' }, after: ['Parts'] }),
};

const schemaOf = (kind: string): object => builtIn.manifestTypeNamed(kind)?.schema ?? {};

function project(): Linked {
  const documents = Object.entries(FILES).flatMap(([file, text]) => parseYaml(text, file).documents);
  const { manifests, diagnostics } = validateManifests(documents, builtIn);
  expect(diagnostics).toEqual([]);
  return link(assemble(manifests).manifests, schemaOf);
}

const by = (kinds: string | readonly string[], name = '*'): Pattern => ({
  by: 'address',
  text: `${kinds}/${name}`,
  kinds: [kinds].flat(),
  name,
});
const label = (key: string, value = '*'): Pattern => ({ by: 'label', text: `label:${key}`, key, value });
const file = (path: string): Pattern => ({ by: 'file', text: `file:${path}`, file: path });

const chosenBy = (only: readonly Pattern[], exclude: readonly Pattern[] = []): [string[], string[]] => {
  const { manifests, edges } = project();
  const { chosen, closure } = select(manifests, edges, { only, exclude });
  return [[...chosen], [...closure]];
};

const ALL = project().manifests.map(({ address }) => String(address));

describe('patterns select manifests', () => {
  test.each<[what: string, only: Pattern[], exclude: Pattern[], chosen: string[], closure: string[]]>([
    ['no pattern: everything', [], [], ALL, []],
    ['a kind', [by('Trigger')], [], ['Trigger/T'], []],
    ['a name of one kind', [by('UserGroup', 'Qual*')], [], ['UserGroup/Quality'], []],
    [
      'a name of several kinds',
      [by(['UserGroup', 'Policy', 'Trigger'], 'Quality')],
      [],
      ['Policy/Quality', 'UserGroup/Quality'],
      ['UserGroup/Buyers (EU)'],
    ],
    ['parentheses are themselves', [by('UserGroup', 'Buyers (EU)')], [], ['UserGroup/Buyers (EU)'], []],
    ['a label of any value', [label('team')], [], ['Policy/Quality', 'UserGroup/Buyers (EU)', 'UserGroup/Quality'], []],
    ['a label and its value', [label('team', 'buy*')], [], ['UserGroup/Buyers (EU)'], []],
    ['a label with an empty value', [label('site', '')], [], ['UserGroup/Buyers (EU)'], []],
    ['a label that nothing has, though every object has a member of that name', [label('constructor')], [], [], []],
    ['a file', [file('manifests/events.yaml')], [], ['OutboundIntegration/ERP', 'Trigger/T'], []],
    [
      'files in any folder',
      [file('manifests/*ies.yaml')],
      [],
      ['Policy/Quality'],
      ['UserGroup/Buyers (EU)', 'UserGroup/Quality'],
    ],
    [
      'several patterns: the matches of any',
      [by('Trigger'), label('site')],
      [],
      ['Trigger/T', 'UserGroup/Buyers (EU)'],
      [],
    ],
    ['references of a chosen one', [by('OutboundIntegration')], [], ['OutboundIntegration/ERP'], ['Trigger/T']],
    [
      'needs of an import, over its `after` as well',
      [by('Import', 'Bom')],
      [],
      ['Import/Bom'],
      ['Import/Parts', 'ImportDefinition/Items', 'ImportDefinition/Lines'],
    ],
    ['referrers of a chosen one are not selected', [by('UserGroup', 'Quality')], [], ['UserGroup/Quality'], []],
    [
      'all but the excluded',
      [],
      [by('Import'), by('ImportDefinition'), file('manifests/groups.yaml'), by('Trigger')],
      ['OutboundIntegration/ERP', 'Policy/Quality'],
      [],
    ],
    [
      'an exclusion wins over a choice',
      [by('UserGroup')],
      [by('UserGroup', 'N*')],
      ['UserGroup/Buyers (EU)', 'UserGroup/Quality'],
      [],
    ],
    [
      'an exclusion wins over a reference',
      [by('Policy')],
      [label('team', 'buying')],
      ['Policy/Quality'],
      ['UserGroup/Quality'],
    ],
    [
      'needs of only an excluded one are not selected',
      [by('Import', 'Bom')],
      [by('Import', 'Parts')],
      ['Import/Bom'],
      ['ImportDefinition/Lines'],
    ],
  ])('%s', (_, only, exclude, chosen, closure) => {
    expect(chosenBy(only, exclude)).toEqual([chosen, closure]);
  });

  test('the others are left out: not linked, not referred to, and still described', () => {
    const whole = project();
    const { linked, leftOut, record } = narrowToPatterns(
      whole,
      { only: [by('Policy')], exclude: [by('UserGroup', 'Q*')] },
      schemaOf,
    );
    expect(linked.manifests.map(({ address }) => address)).toEqual(['Policy/Quality', 'UserGroup/Buyers (EU)']);
    expect([...linked.edges]).toEqual([['Policy/Quality', new Set(['UserGroup/Buyers (EU)'])]]);
    expect(linked.external.get('Policy/Quality' as Address)?.map(({ name }) => name)).toEqual(['Quality']);
    expect(linked.described).toEqual(new Set(ALL));
    expect([...linked.manifests, ...leftOut].map(({ address }) => String(address)).sort()).toEqual([...ALL].sort());
    expect(record).toEqual({ only: ['Policy/*'], exclude: ['UserGroup/Q*'], closure: ['UserGroup/Buyers (EU)'] });
  });

  test('without patterns nothing changes, and nothing is recorded', () => {
    const whole = project();
    const selection = narrowToPatterns(whole, { only: [], exclude: [] }, schemaOf);
    expect(selection.linked).toBe(whole);
    expect([selection.leftOut, 'record' in selection]).toEqual([[], false]);
  });

  test('the plan records them, counts what it compares, and has the digest of that alone', () => {
    const plan = (from: Linked, patterns: Patterns) => {
      const { linked, record, claimed } = narrowToPatterns(from, patterns, schemaOf);
      const observation: Observation = { objects: new Map(), lookups: new Map(), unlisted: new Set() };
      const { bound } = bind(linked.manifests, observation, schemaOf, 'dev');
      return makePlan({
        deciding: { stack: 's', adopt: 'never', replace: new Set() },
        observation,
        facts: new Map(),
        prune: { is: 'no', described: claimed, mayDelete: () => false },
        environment: 'e',
        workspace: { id: '1', name: 'dev', identity: 'test/1' },
        manifests: linked.manifests,
        edges: linked.edges,
        bound: bound.filter(({ manifest }) => builtIn.kindNamed(manifest.kind) !== undefined),
        jobs: [],
        kindNamed: (name) => builtIn.kindNamed(name) as Kind,
        capabilityOf: () => ({ list: true, create: true, update: [], updateBody: 'full', delete: true }),
        requests: { used: 1, remaining: null },
        nonce: 'n',
        createdAt: '2026-01-01T00:00:00.000Z',
        ...(record === undefined ? {} : { selection: record }),
      });
    };
    const whole = project();
    const patterns = { only: [by('OutboundIntegration')], exclude: [by('Policy')] };
    const part = plan(whole, patterns);
    expect(part.selection).toEqual({
      only: ['OutboundIntegration/*'],
      exclude: ['Policy/*'],
      closure: ['Trigger/T'],
    });
    expect(part.steps.map(({ address }) => address)).toEqual(['Trigger/T', 'OutboundIntegration/ERP']);
    const events = whole.manifests.filter(({ kind }) => ['Trigger', 'OutboundIntegration'].includes(kind));
    const alone = plan(link(events, schemaOf), { only: [], exclude: [] });
    expect([alone.manifests, 'selection' in alone]).toEqual([part.manifests, false]);
    expect(plan(whole, { only: [], exclude: [] }).manifests).not.toBe(part.manifests);
  });

  test('patterns of any form that match no manifest are found', () => {
    const wrong = [
      by('UserGroup', 'Qual'),
      by('Policy', 'New'),
      label('team', 'qual'),
      label('tem'),
      file('groups.yaml'),
    ];
    const right = [by('UserGroup', '*'), label('team'), file('*groups.yaml')];
    expect(patternsWithoutMatch([...right, ...wrong, ...right], project().manifests)).toEqual(wrong);
  });
});

describe('a prune with patterns may delete', () => {
  const gone = 'UserGroup/Gone';
  test.each<[what: string, patterns: Partial<Patterns>, address: string, expected: boolean]>([
    ['nothing is selected', {}, gone, true],
    ['a manifest describes it', {}, 'UserGroup/Quality', false],
    ['a manifest adopts it under a new name', {}, 'UserGroup/Old', false],
    ['its kind is selected', { only: [by('UserGroup')] }, gone, true],
    ['its name is selected', { only: [by('UserGroup', 'Go*')] }, gone, true],
    ['another name is selected', { only: [by('UserGroup', 'Gon')] }, gone, false],
    ['another kind is selected', { only: [by('Policy')] }, gone, false],
    ['a manifest that is not selected describes it', { only: [by('UserGroup', 'N*')] }, 'UserGroup/Quality', false],
    ['an excluded manifest describes it', { exclude: [by('UserGroup', 'Quality')] }, 'UserGroup/Quality', false],
    [
      'an excluded manifest adopts it',
      { only: [by('UserGroup')], exclude: [by('UserGroup', 'New')] },
      'UserGroup/Old',
      false,
    ],
    ['it is part of the closure by its kind alone', { only: [by('Policy')] }, 'UserGroup/Gone', false],
    ['only labels are selected, and it no longer has any', { only: [label('team')] }, gone, false],
    ['only files are selected', { only: [file('*')] }, gone, false],
    ['a label or its name', { only: [label('team'), by('UserGroup', 'Gone')] }, gone, true],
    ['its name is excluded', { exclude: [by('UserGroup', 'Gone')] }, gone, false],
    [
      'its kind is selected and its name excluded',
      { only: [by('UserGroup')], exclude: [by(['UserGroup', 'Policy'], 'G*')] },
      gone,
      false,
    ],
    ['another name is excluded', { exclude: [by('UserGroup', 'Quality')] }, gone, true],
    ['a label is excluded: it may have had it', { exclude: [label('team')] }, gone, false],
    [
      'a file is excluded: it may have stood there',
      { only: [by('UserGroup')], exclude: [file('a.yaml')] },
      gone,
      false,
    ],
  ])('%s', (_, { only = [], exclude = [] }, address, expected) => {
    const selection = narrowToPatterns(project(), { only, exclude }, schemaOf);
    expect(mayPrune(selection, address as Address)).toBe(expected);
  });

  test('no object that an unselected manifest refers to; the plan decides about those of selected ones', () => {
    const whole = project();
    const policy = manifest('Policy', 'P', { userGroups: ['Gone'] });
    const { manifests } = validateManifests(parseYaml(policy, 'p.yaml').documents, builtIn);
    const linked = link([...whole.manifests, ...manifests], schemaOf);
    const may = (only: Pattern[]): boolean =>
      mayPrune(narrowToPatterns(linked, { only, exclude: [] }, schemaOf), 'UserGroup/Gone' as Address);
    expect(may([by('UserGroup')])).toBe(false);
    expect(may([by(['UserGroup', 'Policy'])])).toBe(true);
    expect(may([])).toBe(true);
  });

  test('no object with the name of a manifest that is left out', () => {
    const { claimed } = narrowToPatterns(project(), { only: [by('UserGroup', 'Gone')], exclude: [] }, schemaOf);
    const deletes = (name: string) =>
      prune({
        stack: 's',
        why: 'not-described',
        facts: new Map([[gone as Address, { stack: 's', how: 'created', applied: {}, protect: false, identity: 'g' }]]),
        described: claimed,
        claimed: new Set(),
        mayDelete: () => true,
        observation: {
          objects: new Map([['UserGroup', [{ name, identity: 'g', spec: {} }]]]),
          lookups: new Map(),
          unlisted: new Set(),
        },
        kindNamed: (kind) => builtIn.kindNamed(kind) as Kind,
        capabilityOf: () => ({ list: true, create: true, update: ['name'], updateBody: 'full', delete: true }),
      }).map(({ action }) => action);
    expect([deletes('Gone'), deletes('Elsewhere'), deletes('Quality'), deletes('Old')]).toEqual([
      ['delete'],
      ['delete'],
      [],
      [],
    ]);
  });

  test('and reads left-out manifests that may refer to an object', () => {
    const told = (addresses: string[]): string[] =>
      mayReferTo(addresses as Address[], project().manifests, schemaOf).map(({ address }) => address);
    expect(told([])).toEqual([]);
    expect(told(['UserGroup/Gone'])).toEqual(['Policy/Quality']);
    expect(told(['Trigger/Gone', 'Policy/Gone'])).toEqual(['OutboundIntegration/ERP']);
    expect(told(['ImportDefinition/Gone'])).toEqual(['Import/Bom', 'Import/Parts']);
  });

  test.each<[what: string, patterns: Partial<Patterns>, cause: string | undefined]>([
    ['no pattern', {}, undefined],
    ['names alone', { only: [by('UserGroup')], exclude: [by('Policy')] }, undefined],
    ['a label beside a name', { only: [label('team'), by('UserGroup')] }, undefined],
    ['a label alone', { only: [label('team')] }, 'label:team'],
    ['an excluded file', { only: [by('UserGroup')], exclude: [by('Policy'), file('a.yaml')] }, 'file:a.yaml'],
  ])('and warns where a pattern prevents all deletes: %s', (_, { only = [], exclude = [] }, cause) => {
    const told = pruneFindings({ only, exclude }).map(({ message, severity }) => [severity, message]);
    const message = `\`--prune\` cannot use the pattern "${cause}": an object that is no longer in any manifest has no labels and no file.`;
    expect(told).toEqual(cause === undefined ? [] : [['warning', message]]);
  });
});

describe('references to objects that are left out', () => {
  const found = (patterns: Patterns, live: readonly string[]): string[] => {
    const selection = narrowToPatterns(project(), patterns, schemaOf);
    const groups = live.map((name) => ({ name, identity: name, spec: {} }));
    const observation: Observation = {
      objects: new Map([['UserGroup', groups]]),
      lookups: new Map(),
      unlisted: new Set(),
    };
    const { diagnostics } = bind(selection.linked.manifests, observation, schemaOf, 'dev');
    return excludedFindings(diagnostics, selection, 'dev').map(({ code, message, hint, origin }) =>
      [`${origin?.file}:${origin?.line} ${code}`, message, ...(hint === undefined ? [] : [hint])].join(' | '),
    );
  };
  // The trigger refers to nothing.
  const only = [by('Policy'), by('Trigger')];

  test('find a live excluded object as it is', () => {
    expect(found({ only, exclude: [by('UserGroup')] }, ['Quality', 'Buyers (EU)'])).toEqual([]);
  });

  test('are an error where the object is not live, with the way out', () => {
    expect(found({ only, exclude: [by('UserGroup')] }, ['Buyers (EU)'])).toEqual([
      'manifests/teams/policies.yaml:1 reference-excluded | Policy/Quality refers to UserGroup/Quality, which `--exclude` leaves out of this plan and which is not in environment "dev". | Apply UserGroup/Quality first, or do not exclude it.',
    ]);
  });

  test('stay ambiguous where several live objects have the name', () => {
    expect(found({ only, exclude: [by('UserGroup')] }, ['Buyers (EU)', 'Quality', 'Quality'])).toEqual([
      expect.stringContaining('reference-ambiguous'),
    ]);
  });

  test('are reported as usual where no manifest would satisfy them', () => {
    const whole = project();
    const policy = manifest('Policy', 'P', { userGroups: ['Qualty', 'New'] });
    const { manifests } = validateManifests(parseYaml(policy, 'p.yaml').documents, builtIn);
    const linked = link([...whole.manifests, ...manifests], schemaOf);
    const selection = narrowToPatterns(linked, { only: [by('Policy', 'P')], exclude: [by('UserGroup')] }, schemaOf);
    const observation: Observation = { objects: new Map(), lookups: new Map(), unlisted: new Set() };
    const { diagnostics } = bind(selection.linked.manifests, observation, schemaOf, 'dev');
    const codes = excludedFindings(diagnostics, selection, 'dev').map(({ code }) => code);
    expect(codes).toEqual(['reference-unknown', 'reference-excluded']);
    const whole2 = narrowToPatterns(linked, { only: [], exclude: [] }, schemaOf);
    expect(excludedFindings(diagnostics, whole2, 'dev')).toEqual(diagnostics);
  });
});

test('a pattern that begins with a wildcard reads no list of a checked kind; one that names it does', () => {
  const kinds = ['UserGroup', 'ItemAttribute'];
  const namedBy = (text: string) => kindsNamed({ by: 'address', text, kinds, name: '*' });
  expect([namedBy('*'), namedBy('?temAttribute'), namedBy('Item*')]).toEqual([['UserGroup'], ['UserGroup'], kinds]);
});
