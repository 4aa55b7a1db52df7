import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

/** A text in the source that may be shown to people: parameters stand as `{expression}`. */
export interface SourceText {
  /** Below the folder that was read. */
  readonly file: string;
  readonly text: string;
  /** Whether it reports something: part of an error, or of a message or hint of a diagnostic or finding. */
  readonly isReport: boolean;
}

/** Two words at least; names, codes and paths are none. */
const WORDS = /[A-Za-z]{2,}[^A-Za-z]* [^ ]*[A-Za-z]/;

/** Styles of pages are no sentences. */
const NO_TEXTS = new Set([
  'app/views/html/style.ts',
  'base/pages/common-style.ts',
  'data/bulk/compare/page/style.ts',
  'data/bulk/report/page/style.ts',
]);

type FoundText = Omit<SourceText, 'file'>;

type Reader = (source: ts.SourceFile) => readonly FoundText[];

/**
 * Every text of the program in the order of files and lines, and every comment, each on one line. The embedded service
 * speaks with the service's own words.
 */
export async function readProgram(root: string): Promise<{ texts: SourceText[]; comments: SourceText[] }> {
  const [texts = [], comments = []] = await readSources(root, [textsOf, commentsOf]);
  const isOurs = ({ file }: SourceText): boolean => !file.startsWith('emulator/') && !NO_TEXTS.has(file);
  return { texts: texts.filter(isOurs), comments };
}

/** Every comment and every name of a test, each on one line. */
export async function readTests(root: string): Promise<SourceText[]> {
  return (await readSources(root, [commentsOf, testNamesOf])).flat();
}

/** Returns what each of the readers finds; parses each file once. */
async function readSources(root: string, readers: readonly Reader[]): Promise<SourceText[][]> {
  const all = await readdir(root, { recursive: true });
  const files = all
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(^|\/)[^./][^/]*\.(ts|mjs)$/.test(file));
  const found = await Promise.all(
    files.sort().map(async (file) => {
      const content = await readFile(join(root, file), 'utf8');
      const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
      return readers.map((read) => read(source).map((text) => ({ file, ...text })));
    }),
  );
  return readers.map((_, index) => found.flatMap((one) => one[index] ?? []));
}

function commentsOf(source: ts.SourceFile): FoundText[] {
  const found = new Map<number, string>();
  const add = ({ pos, end }: ts.CommentRange): void =>
    void found.set(pos, source.text.slice(pos, end).replaceAll(/\s*\n\s*\*?\s*/g, ' '));
  const visit = (node: ts.Node): void => {
    ts.getLeadingCommentRanges(source.text, node.pos)?.forEach(add);
    ts.getTrailingCommentRanges(source.text, node.end)?.forEach(add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()].map((text) => ({ text, isReport: false }));
}

function testNamesOf(source: ts.SourceFile): FoundText[] {
  const names: FoundText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(describe|test|it)\b/.test(node.expression.getText())) {
      const text = node.arguments[0] && textOf(node.arguments[0]);
      if (text !== undefined) names.push({ text, isReport: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

function textsOf(source: ts.SourceFile): FoundText[] {
  const texts: FoundText[] = [];
  const mayReport = !DESCRIPTIVE.test(source.fileName);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    if (text !== undefined && WORDS.test(text.replaceAll(/\{[^}]*\}/g, 'X')))
      texts.push({ text, isReport: isReport(node) || (mayReport && text.endsWith('.')) });
    if (text === undefined || !isPlain(node)) ts.forEachChild(node, text === undefined ? visit : visitParameters);
  };
  const visitParameters = (node: ts.Node): void => {
    if (ts.isTemplateSpan(node)) visit(node.expression);
    else if (ts.isTemplateExpression(node) || ts.isBinaryExpression(node)) ts.forEachChild(node, visitParameters);
  };
  visit(source);
  return texts;
}

function isReport(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && REPORTED.has(parent.name.getText());
  if (ts.isNewExpression(parent)) return parent.expression.getText().endsWith('Error');
  return !ts.isSourceFile(parent) && !ts.isFunctionLike(parent) && !ts.isStatement(parent) && isReport(parent);
}

/** Other sentences here are help, views, or descriptions of fields, which `schema/` records. */
const DESCRIPTIVE = /^app\/(commands|views)\/|-schema\.ts$|^core\/(kinds|jobs|model|stream)\//;

const REPORTED = new Set(['message', 'hint']);

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
