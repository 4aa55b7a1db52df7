import { MEANINGS, shellWord } from '../library/internal.js';
import { DexsyncError, type InspectedFile, type InspectFileOptions } from '../library/library.js';
import type { Cli } from './cli-context.js';

type Meanings = NonNullable<InspectFileOptions['meanings']>;
type Meaning = Meanings[string];

/** Inspects a file with what columns mean. */
type Inspect = (meanings: Meanings) => Promise<InspectedFile>;

const DONE = '';
const NOTHING = 'nothing that is imported';

/**
 * Shows what each column of a file means and lets a person correct it, one column after the other, until all is right.
 * Returns what was corrected, and shows how to say it in a command. Throws INTERRUPTED if it was cancelled.
 */
export async function editColumns(cli: Cli, file: string, given: Meanings, inspect: Inspect): Promise<Meanings> {
  if (cli.input === 'none')
    throw new DexsyncError('USAGE', '`--edit` asks at a terminal, and there is none.', {
      hint: 'Use `--column NAME=MEANING` for each column that is read wrongly.',
    });
  let meanings = given;
  for (;;) {
    const found = await inspect(meanings);
    const name = await cli.choose(questionOf(found), [
      { value: DONE, label: 'All is right' },
      ...columnChoices(found, cli),
    ]);
    if (name === undefined) throw cancelled();
    if (name === DONE) break;
    const meaning = await cli.choose(`What is in "${name}"?`, CHOICES, meaningOf(found, name));
    if (meaning === undefined) throw cancelled();
    meanings = { ...meanings, [name]: meaning as Meaning };
  }
  const flags = Object.entries(meanings).map(([name, meaning]) => ` --column ${shellWord(`${name}=${meaning}`)}`);
  if (flags.length > 0)
    cli.err.write(`Without questions: dexsync import inspect ${shellWord(file)}${flags.join('')}\n\n`);
  return meanings;
}

const cancelled = (): DexsyncError => new DexsyncError('INTERRUPTED', 'Cancelled: nothing was written.');

const CHOICES = Object.entries({ ...MEANINGS, none: NOTHING }).map(([value, label]) => ({ value, label }));

/** Says what the proposal lacks, so that a correction can be judged. */
function questionOf({ proposal: { problems, remarks } }: InspectedFile): string {
  const open = [...problems, ...remarks.filter((remark) => /^(?:Open|Left out):/.test(remark))];
  return `${open.map((one) => `${one}\n`).join('')}Which column has something else?`;
}

const meaningOf = ({ columns }: InspectedFile, name: string): string =>
  columns.find((column) => column.name === name)?.meaning ?? 'none';

function columnChoices({ columns }: InspectedFile, { width = 80 }: Cli) {
  const named = columns.filter(({ name, filled }) => name !== '' && filled > 0);
  const longest = Math.max(...named.map(({ name }) => name.length));
  return named.map(({ name, meaning, samples }) => {
    const said = meaning === undefined ? NOTHING : MEANINGS[meaning];
    const label = `${name.padEnd(longest)}  ${said}: ${samples.join(' | ')}`;
    return { value: name, label: label.replaceAll(/\s*\n\s*/g, ' ').slice(0, width - 6) };
  });
}
