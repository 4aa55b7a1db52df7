import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { testProject } from '../harness/test-project.js';
import { commandProblems, fragmentProblems } from './known-commands.js';
import { anchors, type Block, inlineCode, PAGES, type Page, readPage } from './page.js';

const pages = PAGES.map(readPage);
const LANGUAGES = ['', 'console', 'text', 'yaml', 'diff', 'sh'];

describe.each(pages)('$path', (page) => {
  test('links lead to files and headings that exist', () => {
    const links = [...page.prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !link.startsWith('https://') && !leadsSomewhere(page, link))).toEqual([]);
  });

  test('commands and options are those of the program', () => {
    const blocks = page.blocks.filter(({ language }) => language !== 'yaml' && language !== 'diff');
    const shown = blocks.flatMap((block) => typedIn(block).flatMap(commandProblems));
    const named = inlineCode(page).flatMap(({ code, line }) =>
      [...commandProblems(code), ...fragmentProblems(code)].map((problem) => `line ${line}: ${problem}`),
    );
    expect([...shown, ...named]).toEqual([]);
  });

  test('blocks of YAML are valid manifests or parts of a configuration', async () => {
    const blocks = page.blocks.filter(({ language }) => language === 'yaml');
    const problems = await Promise.all(blocks.map(async (block) => [`line ${block.line}`, await problemsIn(block)]));
    expect(problems.filter(([, problem]) => problem !== '')).toEqual([]);
  });

  test('variables of the environment, scripts, files of this repository and languages of blocks are known', () => {
    const variables = [...page.text.matchAll(/\bDEXSYNC_[A-Z_]+[A-Z]/g)].map(([name]) => name);
    expect(variables.filter((name) => !isKnownVariable(name))).toEqual([]);
    const scripts = [...page.text.matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in SCRIPTS))).toEqual([]);
    const files = inlineCode(page).flatMap(({ code }) =>
      /^(?:examples|src|schema|test)\/[\w./-]+$/.test(code) ? [code] : [],
    );
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    expect(page.blocks.map(({ language }) => language).filter((language) => !LANGUAGES.includes(language))).toEqual([]);
  });
});

const { scripts: SCRIPTS } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

function leadsSomewhere({ path }: Page, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || anchors(readPage(target)).includes(anchor);
}

/** What a block has to type: of a dialogue its commands, of others every line. */
const typedIn = ({ language, text }: Block): string[] =>
  language === 'console'
    ? [...text.matchAll(/^\$ ((?:.*\\\n)*.*)/gm)].map(([, command = '']) => command)
    : [text].filter(() => language !== 'text');

const manifest = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(
  JSON.parse(readFileSync('schema/manifest.json', 'utf8')),
);

const REST = { stack: 'page', manifests: ['manifests'], environments: { prod: { workspace: 'embedded' } } };

/** The configuration goes through the program, which checks its rules as well. */
async function problemsIn({ text }: Block): Promise<string> {
  if (text.includes('apiVersion: dexsync/v1')) {
    const values = parseAllDocuments(text).map((document) => document.toJS());
    return values.every((value) => manifest(value)) ? '' : JSON.stringify(manifest.errors);
  }
  const config = JSON.stringify({ ...REST, ...(parse(text) as object) });
  const group = 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\nspec: {}\n';
  const project = await testProject({ 'sync.config.yaml': config, 'manifests/group.yaml': group });
  const { code, out, err } = await project.run(['validate'], { PLM_EMAIL: 'ann@example.com', PLM_WORKSPACE: '1' });
  return code === 0 ? '' : out + err;
}

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .concat(readdirSync('test', { recursive: true, encoding: 'utf8' }).map((file) => `../test/${file}`))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join('src', file), 'utf8'))
  .join('\n');

/** `DEXSYNC_PROD_URL` overrides the `url` of the environment `prod`: any name may take the place of `PROD`. */
const isKnownVariable = (name: string): boolean =>
  sources.includes(name) || /^DEXSYNC_[A-Z]+_(?:URL|PROFILE|EMAIL|PASSWORD|WORKSPACE_ID|LEDGER)$/.test(name);
