import type { Scalar, ScalarTag, Tags } from 'yaml';

type Stringify = NonNullable<ScalarTag['stringify']>;
type Context = Parameters<Stringify>[1];

/** Makes tags write scalars with their source text: quotes, folds and digits stay, only indentation changes. */
export const withSourceText = (tags: Tags): Tags =>
  tags.map((tag) => {
    if (typeof tag === 'string' || tag.collection !== undefined) return tag;
    const otherwise = tag.stringify as Stringify;
    const stringify: Stringify = (item, context, onComment, onChompKeep) =>
      sourceText(item, context, onComment) ?? otherwise(item, context, onComment, onChompKeep);
    return { ...tag, stringify };
  });

function sourceText(item: Scalar, { indent }: Context, onComment: (() => void) | undefined): string | undefined {
  const token = (item as Scalar.Parsed).srcToken;
  if (token === undefined) return undefined;
  if (token.type !== 'block-scalar') return flowScalar(token.source, indent);
  const style = token.props.flatMap((prop) => (prop.type === 'block-scalar-header' ? [prop.source] : [])).join('');
  if (!/^[|>]-?$/.test(style) || indent === '') return undefined;
  const comment = item.comment ? ` #${item.comment}` : '';
  onComment?.();
  return [`${style}${comment}`, ...blockLines(token.source, indent)].join('\n');
}

/** Indents plain or quoted text. White space at both ends of lines is not part of the value, unless it is escaped. */
function flowScalar(source: string, indent: string): string {
  const [first = '', ...rest] = source.split(/\r?\n/).map((line) => line.replace(/(?<!\\)[ \t]+$/, ''));
  return [first, ...rest.map((line) => (line === '' ? '' : `${indent}${line.replace(/^[ \t]+/, '')}`))].join('\n');
}

/** Indents a literal or folded text. Blank lines at its end are not part of it; white space of other lines is. */
function blockLines(source: string, indent: string): string[] {
  const lines = source.split(/\r?\n/);
  const depth = lines.find((line) => /[^ \t]/.test(line))?.search(/[^ ]/) ?? 0;
  const moved = lines.map((line) => (line.length > depth ? `${indent}${line.slice(depth)}` : ''));
  return moved.slice(0, Math.max(1, moved.findLastIndex((line) => line !== '') + 1));
}
