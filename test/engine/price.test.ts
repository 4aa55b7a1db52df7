import { expect, test } from 'vitest';
import { priceOf } from '../../src/engine/price.js';
import { addressOf } from '../../src/model/address.js';
import type { JobFacts } from '../../src/model/job-facts.js';
import type { Step, Write } from '../../src/model/plan.js';

const step = (name: string, ...writes: readonly Write[]): Step =>
  ({ address: addressOf('Import', name), writes }) as Step;
const job = (name: string, min: number, max: number): JobFacts =>
  ({ address: addressOf('Import', name), requests: { min, max } }) as JobFacts;
const update = (readFirst: 'yes' | 'no'): Write => ({ verb: 'update', name: 'x', fields: {}, readFirst });
const create: Write = { verb: 'create', spec: {} };
const sent = { verb: 'import' } as Write;

test.each<[string, readonly Step[], readonly JobFacts[], readonly [number, number]]>([
  ['nothing', [], [], [0, 0]],
  ['a write is one request', [step('a', create)], [], [1, 1]],
  ['an update that reads first is two', [step('a', update('yes'))], [], [2, 2]],
  ['an update that does not is one', [step('a', update('no'))], [], [1, 1]],
  ['the ledger costs nothing', [step('a', { verb: 'record' })], [], [0, 0]],
  ['an import costs what its job says', [step('a', sent)], [job('a', 3, 9), job('b', 5, 5)], [3, 9]],
  [
    'an import that the ledger only learns of costs nothing',
    [step('a', { ...sent, done: 'before' } as Write)],
    [job('a', 3, 9)],
    [0, 0],
  ],
  ['a blocked import costs nothing', [step('a')], [job('a', 3, 9)], [0, 0]],
  ['all together', [step('a', sent), step('b', create, update('yes'))], [job('a', 3, 9)], [6, 12]],
])('%s', (_, steps, jobs, [min, max]) => {
  expect(priceOf(steps, jobs)).toEqual({ min, max });
});
