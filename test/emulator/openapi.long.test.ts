import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { Session, send } from '../harness/session.js';
import { temporaryFolder } from '../harness/start-workspace.js';

/** A program of somebody who knows only the document. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './workspace.js';

export async function play(baseUrl: string, headers: Record<string, string>) {
  const client = createClient<paths>({ baseUrl, headers });
  const categories = await client.GET('/settings/items/categories', { params: { query: { path: 'Item\\\\Resistor' } } });
  const [category] = categories.data?.results ?? [];
  if (category === undefined) throw new Error('There is no such category.');
  const created = await client.POST('/items', { body: { name: 'Lamp', number: 'L-1', category: { guid: category.guid } } });
  const guid: string = created.data?.guid ?? '';
  const path = { guid };
  const listed = await client.GET('/items', { params: { query: { number: 'L-1', inAssembly: false, limit: 1 } } });
  const renamed = await client.PUT('/items/{guid}', { params: { path }, body: { name: 'Better lamp' } });
  const removed = await client.DELETE('/items/{guid}', { params: { path } });
  const refused = await client.GET('/items/{guid}', { params: { path } });
  const code: number | undefined = refused.error?.errors[0]?.code;
  return { count: listed.data?.count, name: renamed.data?.name, removed: removed.response.status, code };
}
`;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the compiler says about a program that uses the types of a document. */
function complaintsOf(...files: readonly string[]): string[] {
  const program = ts.createProgram(files, {
    ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: [] },
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${basename(file?.fileName ?? '')} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

describe.each(['reference', 'arena'])('the OpenAPI document of dialect %s', (dialect) => {
  test('is valid, follows all recommended rules, and a client generated from it works', async () => {
    const workspace = await openHosted('--dialect', dialect);
    onTestFinished(() => workspace.stop());
    const { text, body } = await send(workspace.url, 'GET', '/openapi.json');
    await SwaggerParser.validate(structuredClone(body));
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: text, config, absoluteRef: join(ROOT, 'openapi.json') });
    expect(found.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer} ${message}`)).toEqual([]);

    const folder = await temporaryFolder();
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'workspace.d.ts'), astToString(await openapiTS(structuredClone(body))));
    const program = join(folder, 'client.ts');
    await writeFile(program, CLIENT);
    const wrong = join(folder, 'wrong.ts');
    await writeFile(wrong, CLIENT.replace('limit: 1', "limit: '1'").replace("name: 'Better lamp'", 'name: 7'));
    expect(complaintsOf(program, wrong)).toEqual([
      "wrong.ts Type 'string' is not assignable to type 'number'.",
      "wrong.ts Type 'number' is not assignable to type 'string'.",
    ]);

    const { outputText } = ts.transpileModule(await readFile(program, 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
    });
    await writeFile(join(folder, 'client.js'), outputText);
    const { play } = await import(pathToFileURL(join(folder, 'client.js')).href);
    const { token } = await Session.open(workspace);
    const { name: header } = body.components.securitySchemes.session;
    expect(await play(workspace.url, { [header]: token })).toEqual({
      ...{ count: 1, name: 'Better lamp', removed: 204, code: 3011 },
    });
  });

  test('names each operation once, and gives each parameter its type', async () => {
    const workspace = await openHosted('--dialect', dialect);
    onTestFinished(() => workspace.stop());
    const { body } = await send(workspace.url, 'GET', '/openapi.json');
    const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap(Object.values);
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('getItemsGuidBom');
    const types = new Map<string, Set<unknown>>();
    for (const { name, schema } of operations.flatMap(({ parameters = [] }) => parameters)) {
      types.set(name, (types.get(name) ?? new Set()).add(schema.type));
    }
    const typeOf = (name: string) => [...(types.get(name) ?? [])];
    expect([typeOf('limit'), typeOf('offset')]).toEqual([['integer'], ['integer']]);
    for (const name of types.keys()) {
      if (/^include/.test(name) || name === 'setnull') expect([name, typeOf(name)]).toEqual([name, ['boolean']]);
    }
    expect(typeOf('setnull')).toEqual(['boolean']);
  });
});

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly type: unknown } }[];
}
