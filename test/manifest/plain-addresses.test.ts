import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { plainAddresses } from '../../src/manifest/plain-addresses.js';

const inBlocks = `# A comment
apiVersion: dexsync/v1
kind: UserGroup
metadata:
  labels: { team: quality }
  name: Quality board-2
  protect: true
spec:
  description: |
    kind: Policy
    name: Other
  rules:
  - name: a
`;

describe('plain documents', () => {
  test('one in blocks, and one in a line', () => {
    const text = `${inBlocks}---\nkind: Policy\nmetadata: { name: Buyers, protect: true }\n---\n# nothing\n`;
    expect(plainAddresses(text)).toEqual(['UserGroup/Quality board-2', 'Policy/Buyers']);
  });

  test('what the parser reads in the examples is the same', () => {
    const names = readdirSync('examples', { recursive: true, encoding: 'utf8' });
    const files = names.filter((one) => one.endsWith('.yaml')).map((one) => readFileSync(`examples/${one}`, 'utf8'));
    const read = files.flatMap((text) => {
      const found = plainAddresses(text);
      return found === undefined ? [] : [{ text, found }];
    });
    expect(read.length).toBeGreaterThan(20);
    for (const { text, found } of read) {
      const values = parseAllDocuments(text).map((one) => one.toJS());
      const parsed = values.flatMap((one) => (one === null ? [] : [`${one.kind}/${one.metadata.name}`]));
      expect(found).toEqual(parsed);
    }
  });
});

describe('for the parser', () => {
  test.each([
    ['a quoted name', 'kind: A\nmetadata: { name: "x" }\n'],
    ['a variable', 'kind: A\nmetadata:\n  name: ${var.x}\n'],
    ['a name in two lines', 'kind: A\nmetadata:\n  name: one\n    two\n'],
    ['a number', 'kind: A\nmetadata: { name: 12 }\n'],
    ['a constant', 'kind: A\nmetadata:\n  name: null\n'],
    ['no name', 'kind: A\nmetadata: {}\n'],
    ['the name of something below', 'kind: A\nmetadata:\n  labels:\n    name: x\n'],
    ['no metadata', 'kind: A\n'],
    ['no kind', 'metadata: { name: x }\n'],
    ['a kind in quotes', 'kind: "A"\nmetadata: { name: x }\n'],
    ['forEach', 'forEach: [a]\nkind: A\nmetadata: { name: x }\n'],
    ['a key twice', 'kind: A\nkind: B\nmetadata: { name: x }\n'],
    ['an anchor', 'kind: A\nmetadata: &m { name: x }\n'],
    ['JSON', '{ "kind": "A", "metadata": { "name": "x" } }\n'],
    ['a directive', '%YAML 1.2\n---\nkind: A\nmetadata: { name: x }\n'],
    ['line ends of Windows', 'kind: A\r\nmetadata:\r\n  name: x\r\n'],
  ])('%s', (_, text) => expect(plainAddresses(text)).toBeUndefined());
});
