import type { Pulled } from '../../operations/pulled-objects.js';
import type { Palette } from './palette.js';
import { whereText } from './place-text.js';

/** Describes a pull: the files it wrote, the decisions it leaves to a person, and the next step. */
export function pullText(pulled: Pulled, palette: Palette): string {
  const { workspace, environment, files, written, adopted, unmanaged, open, unlisted, requests } = pulled;
  const head = palette.bold(`Pulled from ${whereText({ environment, workspace })}`);
  const lines = files.map(
    ({ file, before }) => `  ${before === undefined ? '+' : '~'} ${file}${written ? '' : '  (not written)'}`,
  );
  const nothing = files.length === 0 ? ['  No file was changed.'] : [];
  const parts = [
    counted(pulled.added.length, 'added'),
    counted(pulled.edited.length, 'edited'),
    counted(pulled.unchanged.length, 'unchanged'),
    counted(open.length, 'to decide'),
    counted(unmanaged.length, 'without a manifest'),
  ].filter((text) => text !== '');
  const unknown = unlisted.length === 0 ? [] : [`The service has no list of: ${unlisted.join(', ')}.`];
  return `${[
    head,
    ...lines,
    ...nothing,
    '',
    `Objects: ${parts.length === 0 ? 'none' : parts.join(', ')}.${adopted.length === 0 ? '' : ` Adopted: ${adopted.length}.`}`,
    ...unknown,
    `Requests: ${requests}.`,
    ...(open.length + unmanaged.length === 0 ? [] : ['The warnings say what is left to decide.']),
    ...next(pulled),
  ].join('\n')}\n`;
}

function next({ written, environment, files }: Pulled): string[] {
  if (written) return [`Next: dexsync plan --env ${environment}`];
  return files.length === 0 ? [] : ['Next: the same without `--diff` writes these files.'];
}

const counted = (count: number, what: string): string => (count === 0 ? '' : `${count} ${what}`);
