import { parseArgs } from 'node:util';
import { warmProgram } from './harness/program.js';
import { drawHistory, runHistory } from './history.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000000' },
    length: { type: 'string', default: '30' },
    program: { type: 'string', default: process.cwd() },
    operations: { type: 'string' },
    without: { type: 'string' },
    lanes: { type: 'string', default: '2' },
    keep: { type: 'boolean', default: false },
  },
});

const until = performance.now() + Number(values.minutes ?? 1) * 60_000;
const began = performance.now();
let next = Number(values.seed);
const last = next + Number(values.count);
let histories = 0;
let commands = 0;
let spent = 0;
let violations = 0;
const done = new Map<string, number>();
const struck = new Map<string, number>();
const names = (list: string | undefined): string[] | undefined => list?.split(',');

const count = (into: Map<string, number>, names: readonly string[]): void => {
  for (const name of names) into.set(name, (into.get(name) ?? 0) + 1);
};

async function lane(): Promise<void> {
  const program = warmProgram(values.program);
  while (performance.now() < until && next < last && (values.keep || violations === 0)) {
    const seed = next;
    next += 1;
    const history = drawHistory(seed, Number(values.length), names(values.operations), names(values.without));
    const outcome = await runHistory(history, program);
    histories += 1;
    commands += outcome.commands;
    spent += outcome.spent;
    count(done, outcome.done);
    count(struck, outcome.disturbances);
    if (outcome.violation !== undefined) {
      violations += 1;
      console.log(`# seed ${seed} (${history.dialect}): law ${outcome.violation.law}: ${outcome.violation.message}\n`);
      if (!values.keep) console.log(outcome.script.join('\n'));
    }
  }
  program.close();
}

await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
const minutes = (performance.now() - began) / 60_000;
console.log(
  `${histories} histories, ${commands} commands, ${Math.round(commands / minutes)} a minute, ${Math.round(spent / Math.max(1, commands))} ms each, ${violations} violations`,
);
const table = (title: string, counts: ReadonlyMap<string, number>): string =>
  [
    title,
    ...[...counts].sort(([, a], [, b]) => b - a).map(([name, times]) => `${String(times).padStart(6)}  ${name}`),
  ].join('\n');
if (violations === 0 || values.keep)
  console.log(`${table('\nOperations', done)}\n${table('\nFaults that struck', struck)}`);
process.exit(violations > 0 ? 1 : 0);
