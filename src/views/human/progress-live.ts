import type { Plan } from '../../model/plan.js';
import type { Output } from '../view.js';
import { importLine, importProgress } from './import-text.js';
import { type LiveLines, openLiveLines } from './live-lines.js';
import type { Palette } from './palette.js';
import { lockedText, type Progress, type ProgressEvent, waitingText } from './progress.js';
import { isStopped, stepLine, stoppedLine } from './step-line.js';
import { transferLine, transferProgress } from './transfer-text.js';

const READING = 'reading';
const OBJECTS = 'objects';

type StepEvent = Extract<ProgressEvent, { type: 'step' }>;
type ImportEventLine = Extract<ProgressEvent, { type: 'import' }>;
type TransferLine = Extract<ProgressEvent, { type: 'transfer' }>;

/** Lines that change in place: one while the workspace is read, then one for all objects and one for each import. */
export function liveProgress(out: Output, palette: Palette): Progress {
  let lines: LiveLines | undefined;
  let plan: Plan | undefined;
  let changed = 0;
  let settled = 0;
  let stopped = 0;
  let paused = false;
  // Two pictures at once would be written over each other.
  let resting = false;
  const after: string[] = [];

  const read = (text: string): void => {
    lines ??= openLiveLines(new Map([[READING, 'Workspace and files']]));
    lines.detail(READING, text);
  };
  const step = (event: StepEvent): void => {
    const { status } = event;
    if (status.is === 'started') return;
    const how = status.is === 'done' ? 'good' : 'bad';
    const line = how === 'bad' ? stepLine(event, palette) : undefined;
    if (line !== undefined) after.push(line);
    stopped += isStopped(event) ? 1 : 0;
    if (event.action === 'import') lines?.end(event.address, how);
    else object(how);
  };
  const object = (how: 'good' | 'bad'): void => {
    settled += 1;
    changed += how === 'good' ? 1 : 0;
    const all = objectSteps(plan);
    lines?.title(OBJECTS, `Changed ${changed} of ${all} objects`);
    if (settled === all) lines?.end(OBJECTS, changed === all ? 'good' : 'bad');
  };
  const imported = ({ address, event }: ImportEventLine): void => {
    const text = importLine(address, event, palette);
    if (text !== undefined) after.push(text);
    lines?.title(address, importProgress(address, event));
  };

  /** The pause stands under every line until something happens again. */
  const waiting = (text: string): void => {
    if (plan === undefined) {
      read(text);
      return;
    }
    lines ??= openLiveLines(lineTitles(plan));
    for (const key of lineTitles(plan).keys()) lines.detail(key, text);
    paused = text !== '';
  };

  const transfer = ({ address, event }: TransferLine): void => {
    const text = transferLine(address, event);
    if (text !== undefined) after.push(text);
    lines ??= openLiveLines(new Map([[READING, address]]));
    lines.title(READING, transferProgress(address, event));
  };

  /** Before there is a plan, what is read is one line; afterwards each object and import has its own. */
  const planned = (event: StepEvent | ImportEventLine): void => {
    if (plan === undefined) {
      if (event.type === 'import') read(importProgress(event.address, event.event));
      return;
    }
    lines ??= openLiveLines(lineTitles(plan));
    if (paused) waiting('');
    if (event.type === 'step') step(event);
    else imported(event);
  };

  return {
    event(event) {
      if (resting) return;
      if (event.type === 'transfer') transfer(event);
      else if (event.type === 'read') read(`${event.what}: ${event.count}`);
      else if (event.type === 'waiting') waiting(waitingText(event));
      else if (event.type === 'locked') waiting(lockedText(event));
      else planned(event);
    },
    note: (text) => void after.push(text.trimEnd()),
    showPlan(made) {
      plan = made;
    },
    async rest() {
      const shown = lines;
      lines = undefined;
      resting = true;
      await shown?.close();
      resting = false;
      if (stopped > 0) after.push(stoppedLine(stopped, palette));
      stopped = 0;
      for (const text of after.splice(0)) out.write(`${text}\n`);
    },
  };
}

const objectSteps = (plan: Plan | undefined): number =>
  plan?.steps.filter(({ action, writes }) => action !== 'import' && writes.length > 0).length ?? 0;

function lineTitles(plan: Plan): Map<string, string> {
  const objects = objectSteps(plan);
  const imports = plan.steps.filter(({ action, writes }) => action === 'import' && writes.length > 0);
  return new Map<string, string>([
    ...(objects === 0 ? [] : ([[OBJECTS, `Changing ${objects} ${objects === 1 ? 'object' : 'objects'}`]] as const)),
    ...imports.map(({ address }): [string, string] => [address, `${address}  waiting`]),
  ]);
}
