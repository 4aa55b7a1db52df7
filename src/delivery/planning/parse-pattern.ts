import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '#core/catalog.js';
import type { Pattern, Patterns } from '#core/engine/selection.js';
import { typesMatching } from '#project/parse-type.js';
import type { PlanningOptions } from './planning-options.js';

const FORMS =
  'Write KIND, KIND/NAME, label:KEY, label:KEY=VALUE or file:PATH; `*` matches any text and `?` one character.';

/** Parses `--only` and `--exclude`. Throws USAGE for a pattern of unknown form or with an unknown kind. */
export const parsePatterns = ({ only = [], exclude = [] }: PlanningOptions, catalog: Catalog): Patterns => ({
  only: only.map((text) => parsePattern(text, '--only', catalog)),
  exclude: exclude.map((text) => parsePattern(text, '--exclude', catalog)),
});

/**
 * Parses a pattern that was given for `option`. A name may contain slashes; labels and files are known by their prefix.
 * Throws as `parsePatterns` does.
 */
export function parsePattern(text: string, option: string, catalog: Catalog): Pattern {
  const [, form, rest = ''] = /^(label|file):(.*)$/s.exec(text) ?? [];
  if (form === 'label') return labelPattern(text, rest, option);
  if (form === 'file') return filePattern(text, rest, option);
  const [, type, , name = '*'] = /^([^/]+)(\/(.+))?$/s.exec(text) ?? [];
  if (type === undefined) throw noPattern(text, option);
  const kinds = typesMatching(type, catalog);
  if (kinds.length === 0) throw unknownKind(type, { text, option }, catalog);
  return { by: 'address', text, kinds, name };
}

function labelPattern(text: string, label: string, option: string): Pattern {
  const [key = '', ...value] = label.split('=');
  if (key === '') throw noPattern(text, option);
  return { by: 'label', text, key, value: value.length === 0 ? '*' : value.join('=') };
}

function filePattern(text: string, path: string, option: string): Pattern {
  const file = path.replace(/^(\.\/)+/, '');
  if (file === '') throw noPattern(text, option);
  return { by: 'file', text, file };
}

const noPattern = (text: string, option: string): DexsyncError =>
  new DexsyncError('USAGE', `"${text}" is not a valid pattern for \`${option}\`.`, { hint: FORMS });

function unknownKind(
  type: string,
  { text, option }: { readonly text: string; readonly option: string },
  catalog: Catalog,
): DexsyncError {
  const lookup = catalog.lookupNamed(type);
  const nearest = nearestHint(type, typesMatching('*', catalog));
  const forms = text.includes('/') ? [] : [FORMS];
  const hint =
    lookup === undefined
      ? [nearest ?? '`dexsync kinds` lists them all.', ...forms].join(' ')
      : `${type} objects are looked up in the workspace and never managed.`;
  return new DexsyncError('USAGE', `There is no kind "${type}" (\`${option}\` "${text}").`, { hint });
}
