import type { Command } from 'commander';
import { createProgram } from '#app/commands/program.js';

/** Only the table of commands is looked at; nothing runs. */
const ROOT: Command = createProgram({ host: { version: '0' } } as Parameters<typeof createProgram>[0]);

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];
const everyOption = new Set(['--help', ...everyCommand(ROOT).flatMap((command) => namesOfOptions(command))]);

/** What is wrong with the command lines of a text: commands and options that the program does not have. */
export function commandProblems(code: string): string[] {
  const lines = code.replaceAll('\\\n', ' ').split(/\n|&&|\||[$]\(|;/);
  return lines.flatMap((line) => {
    const [, typed] = /(?:^|[\s$])(?:npx )?dexsync((?: +[^#)]*)?)/.exec(line) ?? [];
    return typed === undefined || line.includes('dexsync/') ? [] : problemsOf(words(typed));
  });
}

/** The same for code that leaves out the name of the program: `plan --out FILE`, or an option alone. */
export function fragmentProblems(code: string): string[] {
  const [first = '', ...rest] = words(code);
  if (/^--[a-z]/.test(first)) return everyOption.has(nameOf(first)) ? [] : [`${code}: no command has this option`];
  const isCommand = ROOT.commands.some((command) => command.name() === first) && rest.length > 0;
  return isCommand && /^[a-z]+(?: (?:[a-z]+|[A-Z/[\].:|-]+|-.*|".*"))*$/.test(code) ? problemsOf([first, ...rest]) : [];
}

function problemsOf(typed: readonly string[]): string[] {
  const { command, rest } = descend(ROOT, typed);
  const asked = `dexsync ${typed.join(' ')}`;
  const known = new Set([...namesOfOptions(command), ...namesOfOptions(ROOT), '--help', '-h']);
  const unknown = rest.filter((word) => /^--?[a-z]/i.test(word) && !known.has(nameOf(word)));
  const problems = unknown.map((word) => `${asked}: \`${command.name()}\` has no option ${word}`);
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  const [stray = ''] = rest;
  if (isGroup && /^[a-z]/.test(stray)) problems.push(`${asked}: \`${command.name()}\` has no command ${stray}`);
  return problems;
}

function descend(command: Command, typed: readonly string[]): { command: Command; rest: readonly string[] } {
  const [first = '', ...rest] = typed;
  const names = first.split('|');
  const next = names.map((name) => command.commands.find((one) => one.name() === name));
  const [child] = next;
  return child === undefined || next.includes(undefined) ? { command, rest: typed } : descend(child, rest);
}

function namesOfOptions({ options }: Command): string[] {
  return options
    .flatMap(({ short, long, negate }) => [short, long, negate ? long?.replace('--no-', '--') : undefined])
    .filter((name) => name !== undefined);
}

const nameOf = (word: string): string => word.replace(/[=].*$/, '');

/** As a shell divides a line, without brackets of what may be left out. */
const words = (text: string): string[] =>
  [...text.replaceAll(/[[\]]/g, ' ').matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word);
