import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layOutGraph } from '#app/views/html/graph-layout.js';
import { sideBySide } from '#app/views/html/side-by-side.js';
import { renderReport } from '#app/views/report/render-report.js';
import type { Segment } from '#base/pages/browser/plan-changes.js';
import { emptyReport, HOSTILE, hostileReport, PAGE_ELEMENTS, planReport } from './hostile.js';

const OURS = new Set([...PAGE_ELEMENTS, ...['svg', 'g', 'path', 'rect', 'text', 'time']]);

describe('data of any kind stays text in HTML', () => {
  test.each(HOSTILE)('%s', (_, text) => {
    const html = renderReport('html', hostileReport(text));
    const outside = html.replace(/<style>.*?<\/style>/s, '').replaceAll(/<script[^>]*>.*?<\/script>/gs, '<script>');
    const tags = [...outside.matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)];
    expect(tags.map(([, name]) => name).filter((name) => !OURS.has(name ?? ''))).toEqual([]);
    expect(tags.filter(([, , attributes]) => /\son\w+=|\s(src|href)=/.test(attributes ?? ''))).toEqual([]);
    expect(outside.replaceAll(/<!doctype html>|<\/?[a-z0-9]+[^>]*>/g, '')).not.toMatch(/[<>]/);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html).not.toContain('<!--');
    const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(data).changes).toHaveLength(5);
    const written = html.replace(/<script>.*?<\/script>/s, '');
    expect([...written].filter((character) => /[\p{Cc}\u202e]/u.test(character) && character !== '\n')).toEqual([]);
  });
});

test('a report without changes says its result, and has no list', () => {
  const html = renderReport('html', emptyReport({ validated: { manifests: 3, files: 1, blocked: [], objects: [] } }));
  expect(html).toContain('3 manifests in 1 file valid');
  expect(html).not.toContain('id="list"');
});

test('two workspaces are named side by side, and a difference is not shown as success', () => {
  const end = (environment: string) => ({ environment, workspace: environment.toUpperCase() });
  const object = { address: 'UserGroup/Q', what: 'only-from', fields: [{ path: 'description', after: 'x' }] } as const;
  const compared = { from: end('dev'), to: end('prod'), kinds: ['UserGroup'], equal: 1 };
  const html = renderReport(
    'html',
    emptyReport({
      exitCode: 2,
      compared: { ...compared, objects: [{ ...object, fields: [...object.fields] }], findings: [], requests: 4 },
    }),
  );
  expect(html).toContain('<p class="outcome doubt">1 only in dev');
  expect(/<h1>.*<\/h1>/.exec(html)?.[0]).toContain('dev and prod');
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  const { sides, changes } = JSON.parse(data);
  expect(sides).toEqual(['prod', 'dev']);
  expect(changes[0]).toMatchObject({ address: 'UserGroup/Q', kind: 'UserGroup', action: 'only in dev' });
});

const side = (line: readonly Segment[] | null): string | undefined => line?.map(([text]) => text).join('');
const shown = (before: string | undefined, after: string | undefined) =>
  sideBySide(before, after).map(([old, wanted]) => [side(old), side(wanted)]);

describe('two values side by side', () => {
  test('show each side unchanged, line by line', () => {
    const text = fc
      .array(fc.stringMatching(/^[ab x]{0,6}$/), { minLength: 1, maxLength: 6 })
      .map((all) => all.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = sideBySide(before, after);
        const whole = (which: 0 | 1): string => lines.flatMap((line) => side(line[which]) ?? []).join('\n');
        const ended = (value: string): string => value.replace(/\n$/, '');
        expect([whole(0), whole(1)]).toEqual([ended(before), ended(after)]);
      }),
    );
  });

  test('mark words that differ, and align lines that are equal', () => {
    expect(sideBySide('the old value', 'the new value')).toEqual([
      [
        [
          ['the ', 0],
          ['old', 1],
          [' value', 0],
        ],
        [
          ['the ', 0],
          ['new', 1],
          [' value', 0],
        ],
      ],
    ]);
    expect(shown('a\nb\nc', 'a\nc\nd')).toEqual([
      ['a', 'a'],
      ['b', undefined],
      ['c', 'c'],
      [undefined, 'd'],
    ]);
  });

  test('may be one side alone, and are cut where they are long', () => {
    expect(shown(undefined, 'a\nb')).toEqual([
      [undefined, 'a'],
      [undefined, 'b'],
    ]);
    expect(shown('a', undefined)).toEqual([['a', undefined]]);
    const equal = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    expect(shown(`${equal}\nx`, `${equal}\ny`).map(([old]) => old)).toEqual([
      ...['line 0', 'line 1', 'line 2', '... 44 equal lines', 'line 47', 'line 48', 'line 49', 'x'],
    ]);
    expect(shown('x'.repeat(30_000), undefined).at(-1)?.[0]).toBe('... and 10000 more characters');
  });
});

describe('the diagram of dependencies', () => {
  const steps = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      address: `${index % 2 === 0 ? 'Trigger' : 'Policy'}/N${index}`,
      action: index % 3 === 0 ? 'create' : 'update',
      dependsOn: index < 2 ? [] : [`${index % 2 === 0 ? 'Policy' : 'Trigger'}/N${index - 1}`, 'Unknown/X'],
    }));
  const graphFor = (list: readonly object[]) => layOutGraph(planReport(list).planned?.plan ?? { steps: [] });

  test('draws each step as a box to the right of its needs, and no box covers another', () => {
    const { nodes, edges } = graphFor(steps(20));
    expect(nodes).toHaveLength(20);
    expect(edges).toHaveLength(18);
    for (const [from, to] of edges) expect(nodes[from]?.column).toBeLessThan(nodes[to]?.column ?? 0);
    expect(new Set(nodes.map(({ column, row }) => `${column} ${row}`)).size).toBe(20);
  });

  test('does not depend on the order of steps, and ends despite a cycle', () => {
    const backwards = graphFor(steps(20).reverse());
    for (const [from, to] of backwards.edges)
      expect(backwards.nodes[from]?.column).toBeLessThan(backwards.nodes[to]?.column ?? 0);
    const circle = [
      { address: 'A/a', action: 'create', dependsOn: ['A/b'] },
      { address: 'A/b', action: 'create', dependsOn: ['A/a'] },
    ];
    expect(graphFor(circle).edges).toHaveLength(2);
  });

  test('draws many steps of one kind and action as one box', () => {
    const { nodes, edges } = graphFor(steps(5000));
    expect(nodes.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(5000);
    expect(nodes.map(({ label }) => label).sort()).toEqual(
      ['1666 × Trigger', '1667 × Policy', '833 × Policy', '834 × Trigger'].sort(),
    );
    expect(edges.length).toBeLessThan(13);
    expect(Math.max(...nodes.map(({ column }) => column))).toBeLessThan(4);
  });
});
