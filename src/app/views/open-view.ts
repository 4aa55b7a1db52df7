import { toPrintable } from '#base/printable.js';
import { diagnosticText } from './human/diagnostic-text.js';
import { errorsOnly } from './human/errors-only.js';
import { fold } from './human/fold-lines.js';
import { humanView } from './human/human-view.js';
import { createPalette, type Palette } from './human/palette.js';
import { lockedText, priceText, waitingText } from './human/progress.js';
import { jsonLines } from './json-lines.js';
import type { Output, Shown, View } from './view.js';

/** Where a view writes, and what its output supports. */
export interface ViewOptions {
  readonly out: Output;
  readonly color: 'color' | 'plain';
  /** `live`: a terminal whose lines can be redrawn. */
  readonly progress: 'live' | 'lines';
  /** Columns of the terminal; undefined without a terminal. */
  readonly width?: number;
  /** The clock for a log's lines. */
  readonly clock: () => Date;
  readonly shows?: Shown;
}

/**
 * `human` for people, `json` for programs, `findings` for output beside a document on standard output; `watch` and
 * `log` are `human` and `json` for commands that run for long; `audit` and `audit-log` the same beside what is served.
 */
export type ViewKind = 'human' | 'json' | 'findings' | 'watch' | 'log' | 'audit' | 'audit-log';

/** Opens a view of one command's events. */
export async function openView(kind: ViewKind, options: ViewOptions): Promise<View> {
  const { color, clock, shows = 'all' } = options;
  if (kind === 'json') return jsonLines(options.out);
  if (kind === 'log' || kind === 'audit-log') return (await import('./log-lines.js')).logLines(options.out, clock);
  const out = foldedOutput(options);
  const palette = createPalette(color);
  const view = await viewOf(kind, out, palette, options);
  return safeView(shows === 'errors' ? { ...view, event: (event) => errorsOnly(event).forEach(view.event) } : view);
}

async function viewOf(
  kind: Exclude<ViewKind, 'json' | 'log' | 'audit-log'>,
  out: Output,
  palette: Palette,
  options: ViewOptions,
): Promise<View> {
  if (kind === 'findings') return findingsView(out, palette);
  if (kind !== 'audit') return textView(kind, out, palette, options);
  return (await import('./human/audit-view.js')).auditView(findingsView(out, palette), out, palette, options.clock);
}

async function textView(
  kind: 'human' | 'watch',
  out: Output,
  palette: Palette,
  { progress, width, clock, shows = 'all' }: ViewOptions,
): Promise<View> {
  const shown =
    progress === 'live' && kind === 'human' && shows !== 'errors'
      ? (await import('./human/live-progress.js')).liveProgress(out, palette, shows, width)
      : (await import('./human/line-progress.js')).lineProgress(out, palette, shows);
  const view = humanView(out, palette, shown, width, shows);
  if (kind === 'human') return view;
  const { watchView } = await import('./human/watch-view.js');
  return watchView(view, out, palette, clock);
}

/** Makes everything safe to print; JSON escapes itself. */
const safeView = (view: View): View => ({ ...view, event: (event) => view.event(toPrintable(event)) });

/** Folds text to the terminal. */
const foldedOutput = ({ out, width }: ViewOptions): Output => ({
  write: (text) => out.write(typeof text === 'string' ? fold(text, width) : text),
});

const findingsView = (out: Output, palette: Palette): View => ({
  event: (event) => {
    if (event.type === 'diagnostic') out.write(`${diagnosticText(event.diagnostic, palette)}\n`);
    if (event.type === 'price') out.write(`${priceText(event)}\n`);
    if (event.type === 'locked') out.write(`${lockedText(event)}\n`);
    if (event.type === 'waiting') out.write(`${waitingText(event)}\n`);
  },
  close: async () => undefined,
});
