import type { App, Services } from '../routes/app.js';
import { byGuid, listEnvelope, NO_CONTENT, page, searchQuery } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { writeWhenFree } from '../store/database.js';
import { answerSchema } from './answer.js';
import { addMember, findMember, listMembers, type Members, removeMember } from './members.js';

const memberBody = Type.Object({ guid: Type.String() }, { additionalProperties: false });

/** The path parameters: the GUIDs of an owner and of a member, which may have a name of its own. */
const byParameter = (name: string) =>
  Type.Unsafe<{ readonly guid: string } & Readonly<Record<string, string>>>(
    Type.Object({ guid: Type.String(), [name]: Type.String() }),
  );

/** Adds the endpoints that read, add and remove members, as the dialect's capabilities allow. */
export function memberRoutes(app: App, services: Services, kind: Members): void {
  const { list, create, delete: remove } = services.workspace.dialect.capabilities[kind.capability];
  const path = `${kind.owner.path}/:guid/${kind.segment}`;
  if (list) reads(app, services, kind, path);
  if (create) addition(app, services, kind, path);
  if (remove) removal(app, services, kind, path);
}

function reads(app: App, { workspace }: Services, kind: Members, path: string): void {
  const { noun, owner, of, view, parameter = 'member' } = kind;
  const answer = answerSchema(of, view);
  const list = { params: byGuid, querystring: searchQuery(of.search), response: { 200: listEnvelope(answer) } };
  app.get(path, { schema: { summary: `List the ${noun}s of ${owner.one}`, ...list } }, async ({ params, query }) =>
    page(listMembers(workspace, kind, params.guid, query)),
  );
  const one = { params: byParameter(parameter), response: { 200: answer } };
  app.get(
    `${path}/:${parameter}`,
    { schema: { summary: `Get a ${noun} of ${owner.one}`, ...one } },
    async ({ params }) => findMember(workspace, kind, params.guid, params[parameter] ?? ''),
  );
}

function addition(app: App, { workspace }: Services, kind: Members, path: string): void {
  const { noun, owner, of, view } = kind;
  const response = { 201: answerSchema(of, view) };
  const schema = { summary: `Add a ${noun} to ${owner.one}`, params: byGuid, body: memberBody, response };
  app.post(path, { schema }, async ({ params, body }, reply) => {
    const add = () => addMember(workspace, kind, params.guid, body.guid);
    return reply.status(201).send(await writeWhenFree(workspace.settings, add));
  });
}

function removal(app: App, { workspace }: Services, kind: Members, path: string): void {
  const { noun, owner, parameter = 'member' } = kind;
  const schema = {
    summary: `Remove a ${noun} from ${owner.one}`,
    params: byParameter(parameter),
    response: NO_CONTENT,
  };
  app.delete(`${path}/:${parameter}`, { schema }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removeMember(workspace, kind, params.guid, params[parameter] ?? ''));
    return reply.status(204).send();
  });
}
