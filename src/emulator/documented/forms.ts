import { statSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { endpointAt } from '../interface/endpoints.js';
import type { Services } from '../routes/app.js';
import { formError, storePart } from '../routes/import-runs.js';
import type { TSchema } from '../routes/type.js';
import { ServiceError } from '../rules/service-error.js';
import type { BodySchema } from './check-body.js';

/**
 * Reads a form as the JSON body that it stands for, where `file.title` is a key of `file`, and stores its file. Refuses
 * a form where the description has none.
 */
async function readParts(
  request: FastifyRequest,
  path: string,
  schema: TSchema | undefined,
  { workspace, runFiles }: Services,
): Promise<void> {
  const { form = [] } = endpointAt(request.method, path.replaceAll(/:\w+/g, '{guid}')) ?? {};
  if (form.length === 0) throw new ServiceError({ code: 415, message: 'This endpoint takes no form.' });
  const body = createBody();
  for await (const part of request.parts()) {
    const names = part.fieldname.split('.');
    if (part.type === 'field') setAt(body, names, String(part.value), schema);
    else if (request.upload !== undefined || names.at(-1) !== 'content') part.file.resume();
    else {
      const { filename: name, mimetype: mimeType } = part;
      request.upload = { content: workspace.chance.guid(), name, mimeType, size: 0 };
      const { content } = request.upload;
      await storePart(part, () => runFiles.receive(content, 'content', part.file));
      request.upload = { ...request.upload, size: statSync(runFiles.path(content, 'content')).size };
    }
  }
  request.body = body;
}

/** Reads a form as {@link readParts} does, and turns the errors of its parser into refusals. */
export const readForm: typeof readParts = (...form) => readParts(...form).catch(formError);

/** An object without a prototype, since a form may name any key. */
const createBody = (): Record<string, unknown> => Object.create(null);

function setAt(
  body: Record<string, unknown>,
  [name = '', ...further]: readonly string[],
  text: string,
  schema: BodySchema | undefined,
): void {
  const forms = [schema, ...(schema?.anyOf ?? [])];
  const inner = forms.map((one) => one?.properties?.[name]).find((one) => one !== undefined);
  if (further.length > 0) {
    body[name] ??= createBody();
    setAt(body[name] as Record<string, unknown>, further, text, inner);
  } else body[name] = takesFlag(inner) && /^(true|false)$/.test(text) ? text === 'true' : text;
}

const takesFlag = (schema: BodySchema | undefined): boolean =>
  [schema, ...(schema?.anyOf ?? [])].some((one) => one?.type === 'boolean');
