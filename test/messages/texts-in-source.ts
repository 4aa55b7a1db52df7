import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** A text in the source that may be shown to people: parameters stand as `{expression}`. */
export interface SourceText {
  /** Below `src`. */
  readonly file: string;
  readonly text: string;
}

/** Two words at least; names, codes and paths are none. */
const WORDS = /[A-Za-z]{2,}[^A-Za-z]* [^ ]*[A-Za-z]/;

/** Style and script of a page are no sentences. */
const NO_TEXTS = new Set(['data/bulk/report/page/script.ts', 'data/bulk/report/page/style.ts']);

/** Every text of the program in the order of files and lines; the embedded service speaks with the service's own words. */
export async function textsInSource(root: string): Promise<SourceText[]> {
  const all = await readdir(root, { recursive: true });
  const files = all
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('emulator/') && !NO_TEXTS.has(file))
    .sort();
  const texts = await Promise.all(
    files.map(async (file) => textsOf(file, await readFile(join(root, file), 'utf8')).map((text) => ({ file, text }))),
  );
  return texts.flat();
}

function textsOf(file: string, content: string): string[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && WORDS.test(text.replaceAll(/\{[^}]*\}/g, 'X'))) texts.push(text);
    if (text === undefined || !isPlain(node)) ts.forEachChild(node, text === undefined ? visit : visitParameters);
  };
  const visitParameters = (node: ts.Node): void => {
    if (ts.isTemplateSpan(node)) visit(node.expression);
    else if (ts.isTemplateExpression(node) || ts.isBinaryExpression(node)) ts.forEachChild(node, visitParameters);
  };
  visit(source);
  return texts;
}

const isPlain = (node: ts.Node): boolean => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

/** The text of a literal, a template, or several of them added up; undefined for all else. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    const rest = node.templateSpans.map(({ expression, literal }) => `{${codeOf(expression)}}${literal.text}`);
    return node.head.text + rest.join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  if (left === undefined && right === undefined) return undefined;
  return `${left ?? `{${codeOf(node.left)}}`}${right ?? `{${codeOf(node.right)}}`}`;
}

const codeOf = (node: ts.Node): string => node.getText().replaceAll(/\s+/g, ' ');
