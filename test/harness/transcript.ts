import { atEnd } from './at-end.js';

/** One thing that a test did: a line, and what came of it. */
interface Entry {
  add(text: string): void;
}

let entries: string[][] | undefined;

/** Remembers what a test did, to be printed where it fails. */
export function record(line: string): Entry {
  if (entries === undefined) {
    const own: string[][] = [];
    entries = own;
    atEnd((context) => {
      entries = undefined;
      if (context?.task.result?.state === 'fail') console.error(own.flat().join('\n'));
    });
  }
  const entry = [line];
  entries.push(entry);
  return { add: (text) => void entry.push(text) };
}
