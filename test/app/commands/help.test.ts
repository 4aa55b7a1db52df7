import { describe, expect, test } from 'vitest';
import { dexsyncLines, everyCommand, isRunnable, mistakeIn, nameOf, openProgram } from './parse-example.js';

const FORMS = [
  'print one JSON document',
  'print one JSON event per line; the last is the summary',
  'print one JSON event per line, with time and level',
];

const helpOf = (name: string, width?: number): string => {
  const { program, written } = openProgram(width);
  const command = everyCommand(program).find((one) => nameOf(one) === name);
  command?.outputHelp();
  return written.out;
};

const examplesIn = (help: string): string =>
  /\nExamples?:\n((?: {2}.+\n?)+)$/.exec(help)?.[1]?.replaceAll(/^ {2}/gm, '').trimEnd() ?? '';

const commands = everyCommand(openProgram().program).map((command) => ({
  name: nameOf(command),
  command,
  help: helpOf(nameOf(command)),
}));

describe.each(commands)('$name --help', ({ name, command, help }) => {
  test('begins with a description in full sentences, and is listed in one imperative line', () => {
    expect(command.description()).toMatch(/^[A-Z].*\.$/s);
    if (command.parent === null) return;
    expect(command.summary()).toMatch(/^[a-z].*[^.]$/);
    const listed = helpOf(nameOf(command.parent)).split('\n');
    expect(
      listed.filter((line) => line.startsWith(`  ${command.name()} `) && line.endsWith(command.summary())),
    ).toHaveLength(name === 'dexsync complete' ? 0 : 1);
  });

  test('fits 80 columns, and uses 140', () => {
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const wide = helpOf(name, 140).split('\n');
    expect(wide.filter((line) => line.length > 140)).toEqual([]);
    expect(wide.length).toBeLessThan(help.split('\n').length);
    expect(wide.join(' ').replaceAll(/\s+/g, ' ')).toBe(help.replaceAll(/\s+/g, ' '));
  });

  test('shows the global options', () => {
    const flags = [
      '--config <file>',
      '--env <name>',
      '--timeout <seconds>',
      '--wait [seconds]',
      '--wait-for-quota',
      '--trace',
      '--no-color',
    ];
    expect(flags.filter((flag) => !help.includes(`\n  ${flag} `))).toEqual([]);
    expect(help.match(/\nGlobal options:\n/g)?.length).toBe(command.parent === null ? undefined : 1);
  });

  test('describes options and arguments as notes, and --json by one of three sentences', () => {
    for (const { description, flags } of [
      ...command.options,
      ...command.registeredArguments.map((one) => ({ description: one.description, flags: one.name() })),
    ])
      expect(`${flags}: ${description}`).toMatch(/: (?!(?!Import )[A-Z][a-z]).+[^.]$/);
    const json = command.options.find(({ long }) => long === '--json');
    if (json !== undefined) expect(FORMS).toContain(json.description);
  });

  test.runIf(isRunnable(command))('has examples that the program accepts', async () => {
    const lines = examplesIn(help)
      .split(/(?<!\\)\n/)
      .flatMap(dexsyncLines);
    expect(lines.length).toBeGreaterThan(0);
    for (const words of lines) expect([words.join(' '), await mistakeIn(words)]).toEqual([words.join(' '), undefined]);
    expect(lines.some((words) => words.join(' ').startsWith(name.replace(/^dexsync ?/, '')))).toBe(true);
  });
});

test('the check finds an example with a wrong option', async () => {
  expect(await mistakeIn(['plan', '--oni', 'x'])).toContain("unknown option '--oni'");
  expect(dexsyncLines(`dexsync init && dexsync get "a b" 'c d' > x.yaml`)).toEqual([['init'], ['get', 'a b', 'c d']]);
});

test('the help at the top shows groups, exit codes and the output of --json', () => {
  expect(helpOf('dexsync')).toMatchInlineSnapshot(`
    "Usage: dexsync [options] [command]

    Manages the configuration of a product-data (PLM) workspace as code, and its
    bulk imports, in one plan.

    Options:
      --version            print the version
      --config <file>      path of sync.config.yaml (default: searched upwards)
      --env <name>         environment (default: DEXSYNC_ENV, or as configured)
      --timeout <seconds>  seconds that a request with its retries may take, or a
                           file transfer may be idle (default 120)
      --wait [seconds]     wait for another dexsync that uses the environment, at
                           most this long (default: no limit)
      --wait-for-quota     wait for the reset when the daily quota is used up
      --moved-from <url>   address that the workspace had before, or \`none\` (asked
                           once at a terminal)
      --trust              run the modules that \`kinds\` in sync.config.yaml lists
                           (also: DEXSYNC_TRUST=yes)
      --trace              show requests and answers on stderr, without secrets
      --no-color           print no colours (also: NO_COLOR, or no terminal)
      -h, --help           show help

    Configuration:
      init                 create a project
      pull                 write live objects as manifests
      validate             check configuration, manifests and source files offline
      fmt                  format manifests
      render               print manifests with variables and overlay
      plan                 show what apply would do
      apply                make the workspace match the manifests
      show                 show a saved plan
      drift                show what changed in the workspace since the last apply
      diff                 compare two live workspaces
      release              freeze what an environment has, list and compare releases
      promote              plan for one environment what another one has
      watch                keep an environment in line with the manifests
      fleet                bring one change to many environments
      destroy              delete everything that this stack owns

    Ownership:
      adopt                adopt an existing object into this stack
      acknowledge          record that a manual step was done
      forget               give up ownership of objects, and leave them unchanged
      orphans              list live objects that no stack owns

    Bulk data:
      import               send a file through an import definition
      exports              run an export definition and download its files
      extracts             run an extract definition and download its files
      events               list and reconcile the events of an outbound integration

    Workspace:
      get                  list live objects of a kind, or entries of a lookup
      describe             show everything about one object
      output               print GUIDs by address, for scripts
      reservations         release reserved item numbers
      api                  send any request with the login of the environment
      env                  list and check environments
      quota                show how many requests are left today, and who used them
      workspace            run the embedded workspace as a service

    Team:
      status               show what the ledger knows of all environments
      serve                serve a page on which a team sees its workspaces
      history              list applies: who, when, from what and why
      blame                show who set each field of an object
      review               export signed verdicts
      ledger               check, move, rebuild or accept the ledger
      lock                 show who uses an environment, and release its lock

    Reference:
      kinds                list what manifests can describe and refer to
      explain              explain a kind or a field
      completion           print the completion script of a shell
      help                 show help

    Exit codes:
      0    done, or nothing to do
      1    unexpected failure: network, disk, service
      2    differences found: drift, diff, fmt --check, plan --detailed-exitcode;
           something changed: apply --detailed-exitcode
      3    configuration, manifests or command line invalid
      4    blocked, or not everything was done
      5    saved plan stale, altered, rejected or already applied
      6    login or permission refused
      7    locked by another dexsync
      8    rows of an import failed
      130  interrupted

    JSON output:
      --json prints one JSON document or one JSON event per line, as the help of
      each command says. Errors are JSON as well: a document with "error" and
      "diagnostics", or an event with "type": "error" before the summary.

    Examples:
      dexsync init && dexsync plan
      dexsync apply --env prod
      dexsync import parts.xlsx --definition "ERP item specs"
    "
  `);
});

test('options are listed in groups, own ones first', () => {
  const headings = (help: string) => help.match(/^[A-Z][\w ]+:$/gm);
  expect(headings(helpOf('dexsync plan'))).toEqual([
    'Arguments:',
    'Options:',
    'Manifest options:',
    'Guard options:',
    'Planning options:',
    'Global options:',
    'Commands:',
    'Examples:',
  ]);
  expect(headings(helpOf('dexsync import'))).toEqual([
    'Arguments:',
    'Options:',
    'File options:',
    'Manifest options:',
    'Guard options:',
    'Global options:',
    'Commands:',
    'Examples:',
  ]);
  expect(headings(helpOf('dexsync events'))).toEqual(['Options:', 'Global options:', 'Commands:']);
});
