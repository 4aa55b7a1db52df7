import { Listr, type ListrTaskWrapper } from 'listr2';

// biome-ignore lint/suspicious/noExplicitAny: listr2's own type of a task whose context and renderers do not matter.
type Wrapper = ListrTaskWrapper<unknown, any, any>;

/** Lines of a terminal that are redrawn until they end. All must be known when the first one is shown. */
export interface LiveLines {
  title(key: string, text: string): void;
  detail(key: string, text: string): void;
  end(key: string, how: How): void;
  /** Ends all open lines, and waits for the last picture. */
  close(): Promise<void>;
}

/** Shows the lines, by key with their first titles, until `close`. Ignores unknown keys. */
export function openLiveLines(lines: ReadonlyMap<string, string>): LiveLines {
  const wrappers = new Map<string, Wrapper>();
  const ends = new Map([...lines.keys()].map((key) => [key, openEnding()]));
  const tasks = [...lines].map(([key, title]) => ({
    title,
    task: async (_: unknown, wrapper: Wrapper) => {
      wrappers.set(key, wrapper);
      if ((await ends.get(key)?.ended) === 'bad') throw new Error(wrapper.title);
    },
  }));
  const listr = new Listr(tasks, {
    concurrent: true,
    exitOnError: false,
    // Its own handler of Ctrl-C would end the process; ours lets requests in flight finish.
    registerSignalListeners: false,
    rendererOptions: { showErrorMessage: false, collapseErrors: false, formatOutput: 'truncate' },
  });
  const running = listr.run();
  return {
    title(key, text) {
      const wrapper = wrappers.get(key);
      if (wrapper !== undefined) wrapper.title = text;
    },
    detail(key, text) {
      const wrapper = wrappers.get(key);
      if (wrapper !== undefined) wrapper.output = text;
    },
    end: (key, how) => ends.get(key)?.end(how),
    async close() {
      for (const { end } of ends.values()) end('good');
      await running;
    },
  };
}

type How = 'good' | 'bad';

/** Lets a line end even before it is shown. */
function openEnding(): { readonly ended: Promise<How>; end(how: How): void } {
  let end: (how: How) => void = () => undefined;
  const ended = new Promise<How>((done) => {
    end = done;
  });
  return { ended, end };
}
