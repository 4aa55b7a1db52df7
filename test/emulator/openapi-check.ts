import { Ajv } from 'ajv';
import { type Answer, send } from '../harness/session.js';

interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: { readonly 'application/json'?: { schema: object } } }>
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const ajv = new Ajv({ strict: false, allErrors: true });

/** Gives a function that says where a JSON answer differs from the server's own OpenAPI document. */
export async function openApiCheck(url: string): Promise<(method: string, path: string, answer: Answer) => string[]> {
  const paths = (await send(url, 'GET', '/openapi.json')).body.paths as Paths;
  return (method, path, { status, body }) => {
    const operation = operationAt(paths, method, path.split('?', 1)[0] ?? path);
    const schema = operation?.responses?.[status]?.content?.['application/json']?.schema;
    if (!schema || status >= 400) return [];
    return ajv.validate(schema, body)
      ? []
      : (ajv.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
}

/** Of `/items/bom` and `/items/{guid}` the one without a parameter fits first. */
function operationAt(paths: Paths, method: string, path: string): Operation | undefined {
  const fits = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const template = paths[path] ? path : Object.keys(paths).find(fits);
  return template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
}
