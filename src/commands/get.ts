import { Command, Option } from 'commander';
import { EXIT, type GetOptions, get, type Host, type Listing, listingCsv, listingYaml, texts } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { jsonDocument } from './print-document.js';
import { run } from './run.js';

interface GetFlags extends GlobalOptions {
  readonly output: 'table' | 'json' | 'yaml' | 'csv';
  readonly json?: boolean;
  readonly world?: string;
  readonly category?: string;
}

/** `dexsync get`: live objects as a table, JSON, CSV, or YAML that is a manifest. Sends no write. */
export const getCommand = (cli: Cli): Command =>
  new Command('get')
    .summary('list what is in the workspace')
    .description('Lists the live objects of a kind, or the entries of a lookup. Reads no manifest, sends no write.')
    .argument('<kind>', 'a kind or lookup, such as UserGroup, triggers or attributes; `dexsync kinds` lists them')
    .argument('[name]', 'only the object of this name, with its members')
    .addOption(
      new Option('-o, --output <format>', 'yaml gives manifests')
        .choices(['table', 'json', 'yaml', 'csv'])
        .default('table'),
    )
    .option('--json', 'the same as -o json')
    .option('--world <world>', 'of attributes: ITEMS, BOM, CHANGES, REQUESTS, QUALITY, SUPPLIERS and so on')
    .option('--category <path>', 'of attributes: only those that this category has')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  dexsync get usergroups\n' +
        '  dexsync get UserGroup Quality -o yaml > manifests/quality.yaml\n' +
        "  dexsync get attributes --world ITEMS --category 'Item\\Resistor'\n" +
        '  dexsync get NumberReservation -o json | jq .objects',
    )
    .action(async (type: string, name: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GetFlags>();
      await run(cli, 'findings', options, async ({ host, project }) => {
        const listing = await get({ ...project, type, ...getOptionsOf(name, options) }, host);
        cli.out.write(await formatListing(listing, options, cli, host));
        return EXIT.done;
      });
    });

const getOptionsOf = (name: string | undefined, { world, category, output, json }: GetFlags): Partial<GetOptions> => ({
  ...(name === undefined ? {} : { name }),
  ...(world === undefined ? {} : { world }),
  ...(category === undefined ? {} : { category }),
  ...(output === 'yaml' && json !== true ? { whole: 'yes' } : {}),
});

async function manifestsText(listing: Listing, emit: Host['emit']): Promise<string> {
  const { text, findings } = await listingYaml(listing);
  for (const diagnostic of findings) emit({ type: 'diagnostic', diagnostic });
  return text;
}

async function formatListing(
  listing: Listing,
  { output, json }: GetFlags,
  { color, width }: Cli,
  { emit }: Host,
): Promise<string> {
  switch (json === true ? 'json' : output) {
    case 'json':
      return jsonDocument(listing);
    case 'yaml':
      return manifestsText(listing, emit);
    case 'csv':
      return listingCsv(listing);
    case 'table':
      return (await texts(color, width)).listing(listing);
  }
}
