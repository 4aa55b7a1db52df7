import ts from 'typescript';

/** What a browser has and Node has not. */
const OF_BROWSERS = ['document', 'matchMedia', 'navigator', 'Option'];

const OPTIONS = { allowJs: true, checkJs: true, noLib: true, noEmit: true, types: [] };

/** The names in the script of a page that neither it nor a browser has: what a compiler or bundler left outside. */
export function foreignNames(html: string): string[] {
  const [, script = ''] = /<script>(.+?)<\/script>/s.exec(html) ?? [];
  const source = ts.createSourceFile('page.js', script, ts.ScriptTarget.ES2023);
  const host = { ...ts.createCompilerHost(OPTIONS), getSourceFile: () => source };
  const found = ts.createProgram(['page.js'], OPTIONS, host).getSemanticDiagnostics(source);
  const names = found.filter(({ messageText }) =>
    /^Cannot find name/.test(ts.flattenDiagnosticMessageText(messageText, '')),
  );
  const unknown = names.map(({ start = 0, length = 0 }) => script.slice(start, start + length));
  if (!unknown.includes('document')) throw new Error('The page has no script.');
  return unknown.filter((name) => !(name in globalThis) && !OF_BROWSERS.includes(name));
}
