import { describe, expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import { type ApplyPorts, applyPlan } from '#delivery/apply/executor.js';
import type { JournalRecord } from '#ledger/journal-record.js';

const address = (name: string): Address => addressOf('UserGroup', name);
const create: Write = { verb: 'create', spec: {} };

const step = (name: string, dependsOn: readonly string[] = [], writes: readonly Write[] = [create]): Step => ({
  address: address(name),
  action: writes.length === 0 ? 'blocked' : 'create',
  reason: 'absent',
  message: '',
  fields: [],
  writes,
  dependsOn: dependsOn.map(address),
  fingerprint: 'absent',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
});

/** A journal in memory that does not write the intents of one group until it is let on. */
function journalHoldingBack(name: string) {
  let letOn = (): void => undefined;
  const held = new Promise<void>((done) => {
    letOn = done;
  });
  const records: JournalRecord[] = [];
  const journal: ApplyPorts['journal'] = {
    append: async (record) => {
      records.push(record);
      if (record.type === 'intent' && record.address === address(name)) await held;
    },
    close: async () => undefined,
  };
  return { journal, records, letOn: () => letOn() };
}

/** Runs steps with a journal in memory, and says what was performed, journaled and shown, in that order. */
async function applied(steps: readonly Step[], over: Partial<ApplyPorts> = {}) {
  const log: string[] = [];
  const name = (at: string): string => at.replace('UserGroup/', '');
  const applying: ApplyPorts = {
    journal: {
      append: async (record: JournalRecord) => {
        log.push(
          'address' in record
            ? `${record.type} ${name(record.address)}${'failed' in record ? ' failed' : ''}`
            : record.type,
        );
      },
      close: async () => undefined,
    },
    perform: async ({ address: at }) => {
      log.push(`perform ${name(at)}`);
    },
    renameBack: async () => 'left',
    onUnrecorded: () => undefined,
    identityOf: () => 'live',
    guidOf: () => undefined,
    emit: (event: Event) => {
      if (event.type === 'step') log.push(`show ${name(event.address)} ${event.status.is}`);
    },
    clock: () => new Date(0),
    signal: new AbortController().signal,
    parallelism: 1,
    ...over,
  };
  const outcomes = await applyPlan({ steps } as Plan, applying);
  return { log, outcomes: Object.fromEntries([...outcomes].map(([at, { is }]) => [name(at), is])) };
}

const failing =
  (names: readonly string[], error: () => unknown): ApplyPorts['perform'] =>
  async ({ address: at }) => {
    if (names.some((one) => at === address(one))) throw error();
  };

describe('applyPlan', () => {
  test('as many steps run at once as the pace allows: 8 at first, more while the writes are quick', async () => {
    const steps = Array.from({ length: 200 }, (_, index) => step(`G${index}`));
    const counts: number[] = [];
    let underWay = 0;
    const perform: ApplyPorts['perform'] = async () => {
      underWay += 1;
      counts.push(underWay);
      await new Promise((done) => setImmediate(done));
      underWay -= 1;
    };
    await applied(steps, { perform, parallelism: undefined });
    expect(Math.max(...counts.slice(0, 8))).toBe(8);
    expect(Math.max(...counts)).toBe(32);
    counts.length = 0;
    await applied(steps, { perform, parallelism: 3 });
    expect(Math.max(...counts)).toBe(3);
  });

  test('a write is journaled before it is sent, and its outcome before it is shown', async () => {
    const { log } = await applied([step('A')]);
    expect(log).toEqual(['show A started', 'intent A', 'perform A', 'outcome A', 'show A done', 'end']);
  });

  test('a step comes after all of its needs', async () => {
    const { log } = await applied([step('A'), step('B', ['A']), step('C', ['A', 'B'])], { parallelism: 8 });
    expect(log.filter((line) => line.startsWith('perform'))).toEqual(['perform A', 'perform B', 'perform C']);
  });

  test('a failed step skips its dependents, and nothing else', async () => {
    const perform = failing(['A'], () => new DexsyncError('SERVICE_ERROR', 'no'));
    const { outcomes, log } = await applied([step('A'), step('B', ['A']), step('C', ['B']), step('D')], { perform });
    expect(outcomes).toEqual({ A: 'failed', B: 'skipped', C: 'skipped', D: 'done' });
    expect(log).toContain('outcome A failed');
  });

  test('very many steps each run once, also those that wait long for an early one', async () => {
    const needing = Array.from({ length: 1500 }, (_, index) => step(`N${index}`, ['A', 'Slow']));
    const free = Array.from({ length: 1500 }, (_, index) => step(`F${index}`));
    const log: string[] = [];
    const perform: ApplyPorts['perform'] = async ({ address: at }) => {
      if (at === address('Slow')) await new Promise((done) => setImmediate(done));
      log.push(at);
    };
    const all = [step('A'), step('Slow'), ...needing, ...free, step('Last', ['N1499', 'F1499'])];
    const { outcomes } = await applied(all, { perform, parallelism: 4 });
    expect(Object.keys(outcomes)).toHaveLength(3003);
    expect(new Set(Object.values(outcomes))).toEqual(new Set(['done']));
    expect([log.length, new Set(log).size, log.at(-1)]).toEqual([3003, 3003, address('Last')]);
  });

  test('a failed write ends its step: the next writes are not sent', async () => {
    const perform = failing(['A'], () => new DexsyncError('SERVICE_ERROR', 'no'));
    const { log } = await applied([step('A', [], [create, create])], { perform });
    expect(log.filter((line) => line === 'intent A')).toHaveLength(1);
  });

  describe('copies of created objects', () => {
    const twice = { is: 'failed', code: 'CREATED_TWICE', message: 'Twice.' } as const;
    const lookForCopies = async () => new Map([[address('A'), twice]]);

    test('are looked for after the last step, and become its outcome', async () => {
      const { log, outcomes } = await applied([step('A'), step('B')], { lookForCopies });
      expect(outcomes).toEqual({ A: 'failed', B: 'done' });
      expect(log.slice(-4)).toEqual(['show B done', 'outcome A failed', 'show A failed', 'end']);
    });

    test('are reported where the ledger cannot record them either', async () => {
      const append = async (record: JournalRecord) => {
        if (record.type === 'outcome' && record.failed !== undefined) throw new DexsyncError('DISK', 'full');
      };
      const journal = { append, close: async () => undefined };
      expect((await applied([step('A')], { lookForCopies, journal })).outcomes).toEqual({ A: 'failed' });
    });

    test('are not looked for after a stop or an interruption', async () => {
      const interrupted = new AbortController();
      const perform: ApplyPorts['perform'] = async () => {
        interrupted.abort();
        return undefined;
      };
      const { outcomes } = await applied([step('A')], { lookForCopies, perform, signal: interrupted.signal });
      expect(outcomes).toEqual({ A: 'done' });
      const stopping = failing(['B'], () => new DexsyncError('QUOTA_EXHAUSTED', 'no'));
      expect((await applied([step('A'), step('B')], { lookForCopies, perform: stopping })).outcomes.A).toBe('done');
    });
  });

  test('a write without an answer leaves the step unknown', async () => {
    const { outcomes } = await applied([step('A'), step('B', ['A'])], {
      perform: failing(['A'], () => new DexsyncError('WRITE_UNANSWERED', 'no')),
    });
    expect(outcomes).toEqual({ A: 'unknown', B: 'skipped' });
  });

  test('a bug is a failed step, not a lost apply', async () => {
    const { outcomes, log } = await applied([step('A'), step('B')], {
      perform: failing(['A'], () => new TypeError('x')),
    });
    expect(outcomes).toEqual({ A: 'failed', B: 'done' });
    expect(log.at(-1)).toBe('end');
  });

  test('a step without writes does not run, and its dependents are skipped', async () => {
    const { outcomes } = await applied([step('A', [], []), step('B', ['A'])]);
    expect(outcomes).toEqual({ B: 'skipped' });
  });

  test.each(['LEASE_LOST', 'QUOTA_EXHAUSTED', 'LOGIN_REFUSED', 'INTERRUPTED'] as const)(
    '%s stops the apply: no further request could succeed',
    async (code) => {
      const { outcomes } = await applied([step('A'), step('B')], {
        perform: failing(['A'], () => new DexsyncError(code, 'no')),
      });
      expect(outcomes).toEqual({ A: 'failed', B: 'skipped' });
    },
  );

  test('a used-up quota keeps every running step from sending another write', async () => {
    const sent: string[] = [];
    const told: Event[] = [];
    let refuse = (): void => undefined;
    const refused = new Promise<void>((done) => {
      refuse = done;
    });
    const perform: ApplyPorts['perform'] = async ({ address: at }) => {
      sent.push(at);
      if (at === address('A')) {
        await new Promise((done) => setTimeout(done, 20));
        refuse();
        throw new DexsyncError('QUOTA_EXHAUSTED', 'The quota is used up.');
      }
      await refused;
      await new Promise((done) => setTimeout(done, 20));
    };
    const { outcomes } = await applied([step('A'), step('B', [], [create, create]), step('C')], {
      perform,
      parallelism: 2,
      emit: (event) => told.push(event),
    });
    expect(sent).toEqual([address('A'), address('B')]);
    expect(outcomes).toEqual({ A: 'failed', B: 'failed', C: 'skipped' });
    expect(told).toContainEqual(
      expect.objectContaining({
        address: address('B'),
        status: {
          is: 'failed',
          code: 'QUOTA_EXHAUSTED',
          message: "The step's other writes were not sent: The quota is used up.",
        },
      }),
    );
  });

  test('a step whose first write waits for the journal while the quota ends sends nothing', async () => {
    const sent: string[] = [];
    const { journal, letOn } = journalHoldingBack('B');
    const perform: ApplyPorts['perform'] = async ({ address: at }) => {
      sent.push(at);
      setTimeout(letOn, 20);
      throw new DexsyncError('QUOTA_EXHAUSTED', 'The quota is used up.');
    };
    const { outcomes } = await applied([step('A'), step('B')], { journal, perform, parallelism: 2 });
    expect([sent, outcomes]).toEqual([[address('A')], { A: 'failed', B: 'skipped' }]);
  });

  test('an interruption finishes what is in flight and starts nothing more', async () => {
    const controller = new AbortController();
    const { outcomes, log } = await applied([step('A'), step('B')], {
      signal: controller.signal,
      perform: async () => void controller.abort(),
    });
    expect(outcomes).toEqual({ A: 'done', B: 'skipped' });
    expect(log).toContain('outcome A');
  });

  test('a journal that cannot be written ends the apply', async () => {
    const journal: ApplyPorts['journal'] = {
      append: async () => Promise.reject(new Error('disk full')),
      close: async () => undefined,
    };
    const { outcomes, log } = await applied([step('A'), step('B')], { journal });
    expect(outcomes).toEqual({ A: 'failed', B: 'skipped' });
    expect(log).not.toContain('perform A');
  });

  test('an outcome that cannot be recorded is reported as such', async () => {
    const told: Event[] = [];
    const journal: ApplyPorts['journal'] = {
      append: async ({ type }) => {
        if (type === 'outcome') throw new Error('disk full');
      },
      close: async () => undefined,
    };
    await applied([step('A')], { journal, emit: (event) => told.push(event) });
    const ends = told.flatMap((event) =>
      event.type === 'step' && event.status.is !== 'started' ? [event.status] : [],
    );
    expect(ends).toEqual([
      {
        is: 'failed',
        code: 'DISK',
        message: 'The write succeeded, but was not recorded: The journal cannot be written: disk full.',
      },
    ]);
  });

  test('no more steps run at once than allowed', async () => {
    let now = 0;
    let most = 0;
    const perform = async (): Promise<undefined> => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((done) => setTimeout(done, 5));
      now -= 1;
    };
    await applied(
      Array.from({ length: 20 }, (_, index) => step(`S${index}`)),
      { perform, parallelism: 4 },
    );
    expect(most).toBe(4);
  });

  /** What each step ended as, and each outcome as the journal has it. */
  async function ended(steps: readonly Step[], over: Partial<ApplyPorts>) {
    const statuses: unknown[] = [];
    const records: JournalRecord[] = [];
    await applied(steps, {
      journal: { append: async (record) => void records.push(record), close: async () => undefined },
      emit: (event) => {
        if (event.type === 'step' && event.status.is !== 'started') statuses.push(event.status);
      },
      ...over,
    });
    return { statuses, outcomes: records.filter(({ type }) => type === 'outcome'), records };
  }

  test('a failure is reported under its name, with its hint, and recorded in its words', async () => {
    const { statuses, outcomes } = await ended([step('A')], {
      perform: failing(['A'], () => new DexsyncError('SERVICE_ERROR', 'Refused.', { hint: 'Ask.' })),
    });
    expect(statuses).toEqual([{ is: 'failed', code: 'SERVICE_ERROR', message: 'Refused.', hint: 'Ask.' }]);
    expect(outcomes).toMatchObject([{ write: 0, failed: 'Refused.' }]);
    expect(outcomes[0]).not.toHaveProperty('is');
  });

  test('a bug is reported as one', async () => {
    const { statuses } = await ended([step('A')], { perform: failing(['A'], () => new TypeError('x is undefined')) });
    expect(statuses).toEqual([{ is: 'failed', code: 'UNEXPECTED', message: 'x is undefined' }]);
  });

  test.each([
    ['WRITE_UNANSWERED', 'unknown'],
    ['NO_ENDPOINT', 'manual'],
  ] as const)('%s leaves a step %s, in the journal too', async (code, is) => {
    const { statuses, outcomes } = await ended([step('A')], {
      perform: failing(['A'], () => new DexsyncError(code, 'No.')),
    });
    expect(statuses).toEqual([{ is, code, message: 'No.' }]);
    expect(outcomes).toMatchObject([{ is, failed: 'No.' }]);
  });

  test('a write that was not sent is recorded as such, and its claim is withdrawn', async () => {
    const { journal, letOn, records } = journalHoldingBack('B');
    const perform: ApplyPorts['perform'] = async () => {
      setTimeout(letOn, 20);
      throw new DexsyncError('QUOTA_EXHAUSTED', 'The quota is used up.');
    };
    const fact = { stack: 'test', how: 'created', protect: false, applied: {} } as const;
    await applied([step('A'), { ...step('B'), fact }], { journal, perform, parallelism: 2 });
    const ofB = records.filter((record) => 'address' in record && record.address === address('B'));
    expect(ofB).toMatchObject([
      { type: 'intent', write: 0 },
      { type: 'outcome', write: 0, is: 'skipped', failed: 'Not sent: the apply was stopped.' },
      { type: 'object', object: null },
    ]);
  });

  test('the claims of the plan for steps that never began are withdrawn', async () => {
    const fact = { stack: 'test', how: 'created', protect: false, applied: {} } as const;
    const records: JournalRecord[] = [];
    const journal: ApplyPorts['journal'] = {
      append: async (record) => void records.push(record),
      close: async () => undefined,
    };
    const steps = [step('A'), { ...step('B', ['A']), fact }, step('C', ['B'])];
    await applied(steps, { journal, perform: failing(['A'], () => new DexsyncError('SERVICE_ERROR', 'Refused.')) });
    expect(records.filter(({ type }) => type === 'object')).toEqual([
      { type: 'object', at: expect.any(String), address: address('B'), object: null },
    ]);
  });

  test('an end that cannot be recorded is reported, and the results stand', async () => {
    const journal: ApplyPorts['journal'] = {
      append: async ({ type }) => {
        if (type === 'end') throw new DexsyncError('LEDGER_UNREACHABLE', 'No way.');
      },
      close: async () => undefined,
    };
    const unrecorded: string[] = [];
    const { outcomes } = await applied([step('A')], {
      journal,
      onUnrecorded: ({ message }) => void unrecorded.push(message),
    });
    expect([outcomes, unrecorded]).toEqual([{ A: 'done' }, ['No way.']]);
  });

  test('an apply that another failure stopped also reports an end that cannot be recorded', async () => {
    const unrecordedAfter = async (code: 'QUOTA_EXHAUSTED' | 'LEDGER_UNREACHABLE') => {
      const unrecorded: string[] = [];
      await applied([step('A'), step('B')], {
        journal: {
          append: async ({ type }) => {
            if (type === 'end') throw new DexsyncError('LEDGER_UNREACHABLE', 'No way.');
          },
          close: async () => undefined,
        },
        perform: failing(['B'], () => new DexsyncError(code, 'Over.')),
        onUnrecorded: ({ message }) => void unrecorded.push(message),
      });
      return unrecorded;
    };
    expect(await unrecordedAfter('QUOTA_EXHAUSTED')).toEqual(['No way.']);
    expect(await unrecordedAfter('LEDGER_UNREACHABLE')).toEqual([]);
  });

  test('a step whose intent cannot be recorded says so, and so does a failed one whose outcome cannot', async () => {
    const broken = (types: readonly string[]): ApplyPorts['journal'] => ({
      append: async ({ type }) => {
        if (types.includes(type)) throw new Error('disk full');
      },
      close: async () => undefined,
    });
    const told = { is: 'failed', code: 'DISK', message: 'The journal cannot be written: disk full.' };
    expect((await ended([step('A')], { journal: broken(['intent']) })).statuses).toEqual([told]);
    const perform = failing(['A'], () => new DexsyncError('SERVICE_ERROR', 'Refused.'));
    expect((await ended([step('A')], { journal: broken(['outcome']), perform })).statuses).toEqual([told]);
  });

  describe('imports of one wave', () => {
    const load: Write = { verb: 'import' } as unknown as Write;
    const loading = (name: string, dependsOn: readonly string[] = []): Step => step(name, dependsOn, [load]);

    /** Each validates, in some milliseconds, meets the others and commits. */
    async function committed(steps: readonly Step[], validate: (name: string) => Promise<void> | undefined) {
      const done: string[] = [];
      const { statuses } = await ended(steps, {
        parallelism: 1,
        perform: async ({ address: at }, _, together) => {
          const name = at.replace('UserGroup/', '');
          await validate(name);
          done.push(`validated ${name}`);
          await together();
          done.push(`committed ${name}`);
        },
      });
      return { done, statuses };
    }
    const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

    test('are all validated before one is committed, even if fewer steps may run at once', async () => {
      const { done } = await committed([loading('A'), loading('B'), loading('C', ['A'])], (name) =>
        later(name === 'B' ? 30 : 1),
      );
      expect(done.slice(0, 2)).toEqual(['validated A', 'validated B']);
      expect(done.indexOf('validated C')).toBeGreaterThan(done.indexOf('committed A'));
      expect(done).toHaveLength(6);
    });

    test('meet also across more steps than are opened at once, and wait for the first', async () => {
      const between = Array.from({ length: 1100 }, (_, index) => step(`G${index}`, ['A'], [create]));
      const { done } = await committed([loading('A'), ...between, loading('B')], () => undefined);
      expect(done.slice(0, 2)).toEqual(['validated A', 'validated B']);
      expect(done).toHaveLength(2 * 1102);
    });

    test('continue where one of them fails, or is skipped, before it meets the others', async () => {
      const steps = [loading('A'), loading('B'), step('X'), loading('C', ['X'])];
      const { done, statuses } = await committed(steps, (name) => {
        if (name === 'B' || name === 'X') throw new DexsyncError('SERVICE_ERROR', 'Refused.');
        return undefined;
      });
      expect(done).toEqual(['validated A', 'committed A']);
      expect(statuses).toContainEqual({ is: 'skipped', because: address('X') });
    });

    test('are not committed once the apply is stopped', async () => {
      const { done, statuses } = await committed([loading('A'), loading('B')], async (name) => {
        if (name === 'A') return;
        await later(20);
        throw new DexsyncError('QUOTA_EXHAUSTED', 'The quota is used up.');
      });
      expect(done).toEqual(['validated A']);
      expect(statuses).toContainEqual({
        is: 'failed',
        code: 'QUOTA_EXHAUSTED',
        message: 'The rows were validated, but not committed: The quota is used up.',
      });
    });
  });
});
