import { type Diagnostic, withHint } from '#base/diagnostics.js';
import { nearestHint } from '#base/nearest.js';
import type { Metadata } from '../model/document.js';
import type { SchemaNode } from '../model/fields.js';
import type { Job, Kind } from '../model/kind.js';
import type { Subject } from './schema-check.js';

/** Reports metadata that the manifest's kind does not support. */
export const metadataFindings = (metadata: Metadata, type: Kind | Job, subject: Subject): Diagnostic[] => [
  ...nameFindings(metadata, subject),
  ...renameFindings(metadata, type, subject),
  ...onceFindings(metadata, type, subject),
  ...ignoreFindings(metadata, type, subject),
];

/** Reports lone surrogates: half a character cannot be sent, and would arrive as another name. */
function nameFindings({ name, renamedFrom = '' }: Metadata, { origins, name: address }: Subject): Diagnostic[] {
  const wrong = Object.entries({ name, renamedFrom }).filter(([, text]) => /\p{Surrogate}/u.test(text));
  return wrong.map(([field]) => ({
    severity: 'error',
    code: 'name-not-text',
    message: `${JSON.stringify(address)} has half a character (a lone surrogate) in its ${field}.`,
    hint: 'Write the character itself, or both halves of its escape.',
    origin: origins.value(`/metadata/${field}`),
  }));
}

function renameFindings({ renamedFrom }: Metadata, type: Kind | Job, { origins, name }: Subject): Diagnostic[] {
  if (renamedFrom === undefined || 'collection' in type) return [];
  const message = `${name} has \`renamedFrom: ${renamedFrom}\`, but an ${type.name} creates no named object.`;
  const hint = "Remove `renamedFrom`: imported rows are recognised by their content, not by the manifest's name.";
  return [{ severity: 'error', code: 'rename-job', message, hint, origin: origins.value('/metadata/renamedFrom') }];
}

/** Reports fields about comparing on types that are applied once and not compared later. */
function onceFindings({ ignore = [], manage }: Metadata, type: Kind | Job, { origins, name }: Subject): Diagnostic[] {
  if ('collection' in type && type.grow === undefined) return [];
  const fields = [...(ignore.length > 0 ? ['ignore'] : []), ...(manage === undefined ? [] : ['manage'])];
  return fields.map((field) => ({
    severity: 'error',
    code: `${field}-once`,
    message: `${name} has \`${field}\`, but it is applied once and not compared later.`,
    hint: `Remove \`${field}\`.`,
    origin: origins.key(`/metadata/${field}`),
  }));
}

function ignoreFindings({ ignore = [] }: Metadata, type: Kind | Job, subject: Subject): Diagnostic[] {
  const { origins, name } = subject;
  if (!('collection' in type) || type.grow !== undefined) return [];
  return ignore.flatMap((path, index) => {
    const wrong = pathProblem(path.split('.'), type.schema as SchemaNode, []);
    if (wrong === undefined) return [];
    const message = `${name} ignores "${path}", ${wrong.what}.`;
    const origin = origins.value(`/metadata/ignore/${index}`);
    return [withHint({ severity: 'error' as const, code: 'ignore-unknown', message, origin }, wrong.hint)];
  });
}

interface PathProblem {
  readonly what: string;
  readonly hint?: string | undefined;
}

/** Explains why a path leads to no field. Paths lead through objects; a list is one value. */
function pathProblem(
  [field, ...rest]: readonly string[],
  { properties }: SchemaNode,
  above: readonly string[],
): PathProblem | undefined {
  if (field === undefined) return undefined;
  const parent = above.join('.');
  if (properties === undefined) {
    return { what: `but "${parent}" has no fields of its own to ignore`, hint: `Write "${parent}".` };
  }
  const path = [...above, field];
  const node = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (node !== undefined) return pathProblem(rest, node, path);
  const known = Object.keys(properties).map((key) => [...above, key].join('.'));
  return { what: 'which is not a field', hint: nearestHint(path.join('.'), known) };
}
