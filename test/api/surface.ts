import { resolve } from 'node:path';
import ts from 'typescript';

/** What a consumer of an entry of the package can import and see. */
export interface Surface {
  /** Each export with its signature and the flags of its comment, as text. */
  readonly report: string;
  /** Types that signatures show and nobody can import. */
  readonly hidden: readonly string[];
}

/** A program as strict as its author can make it, on the declarations that the package is published with. */
export const strictProgram = (files: readonly string[]): ts.Program =>
  ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  });

/** What an entry of the package exports, as a program sees it. */
export const surfaceIn = (program: ts.Program, entry: string): Surface =>
  surfaceOf(program.getSourceFile(resolve(entry)) as ts.SourceFile, program.getTypeChecker());

function surfaceOf(source: ts.SourceFile, checker: ts.TypeChecker): Surface {
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol)
    .map((symbol) => ({ name: symbol.name, symbol: resolved(symbol, checker), by: symbol.declarations ?? [] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const known = new Set(exported.map(({ symbol }) => symbol));
  const hidden = new Set<string>();
  const parts = exported.map(({ name, symbol, by }) => {
    const declarations = symbol.declarations ?? [];
    for (const declaration of declarations) {
      for (const used of typesIn(declaration, checker, new Set()))
        if (!known.has(used) && used.name !== 'Shape') hidden.add(used.name);
    }
    return `### ${name}${flagsOf([...declarations, ...by])}\n\n\`\`\`ts\n${declarations.map((one) => textOf(one, checker)).join('\n')}\n\`\`\`\n`;
  });
  return { report: parts.join('\n'), hidden: [...hidden].sort() };
}

const resolved = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

const isOurs = (node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(`${resolve('types')}/`);

/** Our own named types that a declaration shows. A `typeof` of a schema shows the types within that schema. */
function typesIn(root: ts.Node, checker: ts.TypeChecker, seen: Set<ts.Node>): ts.Symbol[] {
  if (seen.has(root)) return [];
  seen.add(root);
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const name = nameNode(node);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol !== undefined) {
      const target = resolved(symbol, checker);
      const declaration = target.declarations?.[0];
      if (declaration !== undefined && isOurs(declaration)) {
        if (ts.isTypeQueryNode(node)) found.push(...typesIn(declaration, checker, seen));
        else if (!ts.isTypeParameterDeclaration(declaration)) found.push(target);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

function nameNode(node: ts.Node): ts.Node | undefined {
  if (ts.isTypeReferenceNode(node)) return node.typeName;
  if (ts.isImportTypeNode(node)) return node.qualifier;
  if (ts.isTypeQueryNode(node)) return node.exprName;
  if (ts.isExpressionWithTypeArguments(node)) return node.expression;
  return undefined;
}

function flagsOf(declarations: readonly ts.Declaration[]): string {
  const tags = declarations.flatMap((one) => ts.getJSDocTags(statementOf(one)).map(({ tagName }) => tagName.text));
  const flags = [...new Set(tags)].filter((tag) => ['internal', 'deprecated', 'experimental'].includes(tag));
  const isTold = declarations.some((one) => ts.getJSDocCommentsAndTags(statementOf(one)).length > 0);
  return [...flags, ...(isTold ? [] : ['undocumented'])].map((flag) => ` (${flag})`).join('');
}

function statementOf(node: ts.Declaration): ts.Node {
  if (ts.isVariableDeclaration(node)) return node.parent.parent;
  return ts.isExportSpecifier(node) ? node.parent.parent : node;
}

/** Without comments, and without the files that types come from; what follows from a schema is written out. */
function textOf(node: ts.Declaration, checker: ts.TypeChecker): string {
  if (isDerived(node))
    return inOrder(tidy(`type ${node.name.text} = ${writtenOut(checker.getTypeAtLocation(node), node, checker)};`));
  const printer = ts.createPrinter({ removeComments: true });
  return tidy(printer.printNode(ts.EmitHint.Unspecified, statementOf(node), node.getSourceFile()));
}

const isDerived = (node: ts.Declaration): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
  (ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)) && /\btypeof\b/.test(node.getText());

function writtenOut(type: ts.Type, at: ts.Node, checker: ts.TypeChecker): string {
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  const text = (one: ts.Type): string => checker.typeToString(one, at, flags);
  if (!type.isClassOrInterface()) return text(type);
  const members = checker.getPropertiesOfType(type).map((member) => {
    const isOptional = member.flags & ts.SymbolFlags.Optional ? '?' : '';
    return `  ${member.name}${isOptional}: ${text(checker.getTypeOfSymbol(member))};`;
  });
  return `{\n${members.sort().join('\n')}\n}`;
}

/** A union of texts comes in the order in which the compiler met them, which says nothing. */
const tidy = (text: string): string =>
  text
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .replace(/^export (declare )?/, '')
    .replaceAll(/"[^"]*"(?: \| "[^"]*")+/g, (union) => union.split(' | ').sort().join(' | '));

/** What the compiler derives has its members in the order in which it met them, which is another after each change. */
function inOrder(text: string): string {
  const source = ts.createSourceFile('shown.ts', text, ts.ScriptTarget.ES2023, true);
  const shown = (node: ts.Node): string => {
    if (ts.isUnionTypeNode(node)) return node.types.map(shown).sort().join(' | ');
    if (ts.isTypeLiteralNode(node) && !node.getText().includes('\n'))
      return `{ ${node.members.map(shown).sort().join(' ')} }`;
    let [all, at] = ['', node.getStart()];
    node.forEachChild((child) => {
      all += text.slice(at, child.getStart()) + shown(child);
      at = child.getEnd();
    });
    return all + text.slice(at, node.getEnd());
  };
  return source.statements.map(shown).join('\n');
}
