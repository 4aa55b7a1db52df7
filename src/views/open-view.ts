import type { Diagnostic } from '../diagnostics.js';
import { toPrintable } from '../printable.js';
import { diagnosticText } from './human/diagnostic-text.js';
import { fold } from './human/fold.js';
import { humanView } from './human/human-view.js';
import { paletteOf } from './human/palette.js';
import { lockedText } from './human/progress.js';
import { jsonLines } from './json-lines.js';
import type { Output, View } from './view.js';

/** Where a view writes, and what may be done there. */
export interface ViewOptions {
  readonly out: Output;
  readonly color: 'color' | 'plain';
  /** `live`: a terminal that can be written over. */
  readonly progress: 'live' | 'lines';
  /** Columns of the terminal; undefined where there is none. */
  readonly width?: number;
  /** The time of a log's lines. */
  readonly clock: () => Date;
}

/**
 * `human` for people, `json` for programs, `findings` for what may go beside a document on standard output; `watch` and `log`
 * the same for what goes on for long.
 */
export type ViewKind = 'human' | 'json' | 'findings' | 'watch' | 'log';

/** A view of one command's events. */
export async function openView(kind: ViewKind, options: ViewOptions): Promise<View> {
  const { color, progress, width, clock } = options;
  if (kind === 'json') return jsonLines(options.out);
  if (kind === 'log') return (await import('./log-lines.js')).logLines(options.out, clock);
  const out = foldedOutput(options);
  const palette = paletteOf(color);
  if (kind === 'findings') return safeView(findingsView(out, (diagnostic) => diagnosticText(diagnostic, palette)));
  const shown =
    progress === 'live' && kind === 'human'
      ? (await import('./human/live-progress.js')).liveProgress(out, palette)
      : (await import('./human/line-progress.js')).lineProgress(out, palette);
  const view = humanView(out, palette, shown, width);
  if (kind === 'human') return safeView(view);
  const { watchView } = await import('./human/watch-view.js');
  return safeView(watchView(view, out, palette, clock));
}

/** Everything that people are shown passes here; `--json` is escaped by JSON itself. */
const safeView = (view: View): View => ({ ...view, event: (event) => view.event(toPrintable(event)) });

/** Everything that people are shown is folded to their terminal here. */
const foldedOutput = ({ out, width }: ViewOptions): Output => ({
  write: (text) => out.write(typeof text === 'string' ? fold(text, width) : text),
});

const findingsView = (out: Output, text: (diagnostic: Diagnostic) => string): View => ({
  event: (event) => {
    if (event.type === 'diagnostic') out.write(`${text(event.diagnostic)}\n`);
    if (event.type === 'locked') out.write(`${lockedText(event)}\n`);
  },
  close: async () => undefined,
});
