import type { Diagnostic } from '../diagnostics.js';
import { toPrintable } from '../printable.js';
import { diagnosticText } from './human/diagnostic-text.js';
import { errorsOf } from './human/errors-of.js';
import { fold } from './human/fold.js';
import { humanView } from './human/human-view.js';
import { paletteOf } from './human/palette.js';
import { lockedText } from './human/progress.js';
import { jsonLines } from './json-lines.js';
import type { Output, Shown, View } from './view.js';

/** Where a view writes, and what may be done there. */
export interface ViewOptions {
  readonly out: Output;
  readonly color: 'color' | 'plain';
  /** `live`: a terminal that can be written over. */
  readonly progress: 'live' | 'lines';
  /** Columns of the terminal; undefined where there is none. */
  readonly width?: number;
  readonly shows?: Shown;
}

/** `human` for people, `json` for programs, `findings` for what may go beside a document on standard output. */
export async function openView(kind: 'human' | 'json' | 'findings', options: ViewOptions): Promise<View> {
  const { color, progress, width, shows = 'all' } = options;
  if (kind === 'json') return jsonLines(options.out);
  const out = foldedOutput(options);
  const palette = paletteOf(color);
  if (kind === 'findings') {
    return safeView(
      quieted(
        findingsView(out, (diagnostic) => diagnosticText(diagnostic, palette)),
        shows,
      ),
    );
  }
  const shown =
    progress === 'live' && shows !== 'errors'
      ? (await import('./human/live-progress.js')).liveProgress(out, palette, shows, width)
      : (await import('./human/line-progress.js')).lineProgress(out, palette, shows);
  return safeView(quieted(humanView(out, palette, shown, width, shows), shows));
}

const quieted = (view: View, shows: Shown): View =>
  shows === 'errors' ? { ...view, event: (event) => errorsOf(event).forEach(view.event) } : view;

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
