import type { Plan } from '#core/model/plan.js';
import type { Output, Shown } from '../view.js';
import { fitAddress } from './fit-address.js';
import { importLine, importProgress } from './import-progress.js';
import { type LiveLines, openLiveLines } from './live-lines.js';
import type { Palette } from './palette.js';
import { lockedText, type Progress, type ProgressEvent, priceText, waitingText } from './progress.js';
import { isStopped, stepLine, stoppedLine } from './step-line.js';
import { transferLine, transferProgress } from './transfer-text.js';

const READING = 'reading';
const OBJECTS = 'objects';

type EventOf<T extends ProgressEvent['type']> = Extract<ProgressEvent, { type: T }>;

/** The current lines of the terminal, and the text to write after them. */
interface Screen {
  readonly palette: Palette;
  readonly shows: Shown;
  readonly width: number | undefined;
  lines?: LiveLines | undefined;
  /** A message that must be seen at once; shown below the first line that has not ended. */
  notice?: string;
  readonly ended: Set<string>;
  plan?: Plan;
  changed: number;
  settled: number;
  stopped: number;
  hasDetail: boolean;
  /** Blocks new lines meanwhile: two pictures at once would overwrite each other. */
  isResting: boolean;
  readonly after: string[];
}

/** Shows lines that change in place: one during reading, then one for all objects and one for each import. */
export function liveProgress(out: Output, palette: Palette, shows: Shown, width: number | undefined): Progress {
  const screen: Screen = {
    palette,
    shows,
    width,
    ended: new Set(),
    changed: 0,
    settled: 0,
    stopped: 0,
    hasDetail: false,
    isResting: false,
    after: [],
  };
  return {
    event(event) {
      if (!screen.isResting) showEvent(screen, event);
    },
    note: (text) => void screen.after.push(text.trimEnd()),
    notice(text) {
      screen.notice = text;
      if (screen.lines === undefined) out.write(`\n${text}\n`);
      else showNotice(screen);
    },
    showPlan(plan) {
      screen.plan = plan;
    },
    async rest() {
      await clear(screen);
      for (const text of screen.after.splice(0)) out.write(`${text}\n`);
    },
  };
}

function showEvent(screen: Screen, event: ProgressEvent): void {
  if (event.type === 'transfer') showTransfer(screen, event);
  else if (event.type === 'read') showDetail(screen, `${event.what}: ${event.count}`);
  else if (event.type === 'price') showDetail(screen, priceText(event));
  else if (event.type === 'waiting') showDetail(screen, waitingText(event));
  else if (event.type === 'locked') showDetail(screen, lockedText(event));
  else showWork(screen, event);
}

function showReading(screen: Screen, text: string): void {
  screen.lines ??= openLiveLines(new Map([[READING, 'Reading workspace and files']]));
  screen.lines.detail(READING, text);
}

function showTransfer(screen: Screen, { address, event }: EventOf<'transfer'>): void {
  writeAfter(screen, transferLine(address, event));
  screen.lines ??= openLiveLines(new Map([[READING, fitAddress(address, address, screen.width)]]));
  screen.lines.title(READING, fitAddress(transferProgress(address, event), address, screen.width));
}

/** Shows a detail, such as a wait; once there is a plan, below each of its lines until the next step. */
function showDetail(screen: Screen, text: string): void {
  const { plan } = screen;
  if (plan === undefined) {
    showReading(screen, text);
    return;
  }
  screen.lines ??= openLiveLines(lineTitles(plan, screen.width));
  for (const key of lineTitles(plan, screen.width).keys()) screen.lines.detail(key, text);
  showNotice(screen);
  screen.hasDetail = text !== '';
}

/** Shows work on one line before there is a plan, afterwards on one for all objects and each import. */
function showWork(screen: Screen, event: EventOf<'step'> | EventOf<'import'>): void {
  const { plan } = screen;
  if (plan === undefined) {
    if (event.type === 'import') {
      showReading(screen, fitAddress(importProgress(event.address, event.event), event.address, screen.width));
    }
    return;
  }
  screen.lines ??= openLiveLines(lineTitles(plan, screen.width));
  if (screen.hasDetail) showDetail(screen, '');
  if (event.type === 'step') showStep(screen, event);
  else showImport(screen, event);
}

function showStep(screen: Screen, event: EventOf<'step'>): void {
  const { status } = event;
  if (status.is === 'started') return;
  const how = status.is === 'done' ? 'good' : 'bad';
  writeAfter(screen, stepLine(event, screen.palette, screen.shows));
  screen.stopped += isStopped(event) ? 1 : 0;
  if (event.action === 'import') endLine(screen, event.address, how);
  else countObject(screen, how);
}

function countObject(screen: Screen, how: 'good' | 'bad'): void {
  screen.settled += 1;
  screen.changed += how === 'good' ? 1 : 0;
  const all = objectSteps(screen.plan);
  screen.lines?.title(OBJECTS, `Applied ${screen.changed} of ${all} ${all === 1 ? 'object' : 'objects'}`);
  if (screen.settled === all) endLine(screen, OBJECTS, screen.changed === all ? 'good' : 'bad');
}

function showImport(screen: Screen, { address, event }: EventOf<'import'>): void {
  writeAfter(screen, importLine(address, event, screen.palette));
  screen.lines?.title(address, fitAddress(importProgress(address, event), address, screen.width));
}

function endLine(screen: Screen, key: string, how: 'good' | 'bad'): void {
  screen.ended.add(key);
  screen.lines?.end(key, how);
  showNotice(screen);
}

function showNotice({ notice, plan, lines, ended, width }: Screen): void {
  if (notice === undefined) return;
  const keys = plan === undefined ? [READING] : [...lineTitles(plan, width).keys()];
  const key = keys.find((one) => !ended.has(one));
  if (key !== undefined) lines?.detail(key, notice);
}

function writeAfter({ after }: Screen, text: string | undefined): void {
  if (text !== undefined) after.push(text);
}

async function clear(screen: Screen): Promise<void> {
  const shown = screen.lines;
  screen.lines = undefined;
  screen.ended.clear();
  screen.isResting = true;
  await shown?.close();
  screen.isResting = false;
  if (screen.stopped > 0) writeAfter(screen, stoppedLine(screen.stopped, screen.palette));
  screen.stopped = 0;
}

const objectSteps = (plan: Plan | undefined): number =>
  plan?.steps.filter(({ action, writes }) => action !== 'import' && writes.length > 0).length ?? 0;

function lineTitles(plan: Plan, width: number | undefined): Map<string, string> {
  const objects = objectSteps(plan);
  const imports = plan.steps.filter(({ action, writes }) => action === 'import' && writes.length > 0);
  return new Map<string, string>([
    ...(objects === 0 ? [] : ([[OBJECTS, `Applying ${objects} ${objects === 1 ? 'object' : 'objects'}`]] as const)),
    ...imports.map(({ address }): [string, string] => [address, fitAddress(`${address}  waiting`, address, width)]),
  ]);
}
