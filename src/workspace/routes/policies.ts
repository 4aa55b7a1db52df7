import {
  createPolicy,
  findPolicy,
  listPolicies,
  POLICY_SEARCH,
  removePolicy,
  replacePolicy,
} from '../rules/policies.js';
import { writeWhenFree } from '../store/database.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { byGuid, listOf, nullable, page, person, searchQuery } from './schemas.js';
import { Type } from './type.js';

const POLICIES = '/settings/policies';
const POLICY = `${POLICIES}/:guid`;

const rule = Type.Object(
  { resource: Type.String(), actions: Type.Array(Type.String()) },
  { additionalProperties: false },
);

const policy = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  description: Type.String(),
  enabled: Type.Boolean(),
  userGroups: Type.Array(Type.Object({ guid: Type.String(), name: Type.String() })),
  rules: Type.Array(rule),
  creationDateTime: Type.String(),
  creator: person,
  lastModifiedDateTime: nullable(Type.String()),
  modifiedBy: nullable(person),
});

const policyBody = Type.Object(
  {
    name: Type.String(),
    description: Type.Optional(nullable(Type.String())),
    enabled: Type.Optional(Type.Boolean()),
    userGroups: Type.Optional(Type.Array(Type.Object({ guid: Type.String() }, { additionalProperties: false }))),
    rules: Type.Optional(Type.Array(rule)),
  },
  { additionalProperties: false },
);

/** Access policies (wire-facts 0, "policies"). */
export function policyRoutes(app: App, services: Services): void {
  const { list, create, update, delete: remove } = services.workspace.dialect.capabilities.policies;
  if (list) policyReads(app, services);
  if (create) policyCreation(app, services);
  if (update.length > 0) policyUpdate(app, services);
  if (remove) policyRemoval(app, services);
}

function policyReads(app: App, { workspace }: Services): void {
  app.get(
    POLICIES,
    {
      schema: {
        summary: 'Search policies',
        querystring: searchQuery(POLICY_SEARCH),
        response: { 200: listOf(policy) },
      },
    },
    async ({ query }) => page(listPolicies(workspace, query)),
  );
  app.get(
    POLICY,
    { schema: { summary: 'Get a policy', params: byGuid, response: { 200: policy } } },
    async ({ params }) => findPolicy(workspace, params.guid),
  );
}

function policyCreation(app: App, { workspace }: Services): void {
  app.post(
    POLICIES,
    { schema: { summary: 'Create a policy', body: policyBody, response: { 201: policy } } },
    async (request, reply) => {
      const create = () => createPolicy(workspace, callerOf(request), request.body);
      return reply.status(201).send(await writeWhenFree(workspace.settings, create));
    },
  );
}

function policyUpdate(app: App, { workspace }: Services): void {
  app.put(
    POLICY,
    { schema: { summary: 'Replace a policy', params: byGuid, body: policyBody, response: { 200: policy } } },
    async (request) => {
      const { params, body } = request;
      return writeWhenFree(workspace.settings, () => replacePolicy(workspace, callerOf(request), params.guid, body));
    },
  );
}

function policyRemoval(app: App, { workspace }: Services): void {
  app.delete(POLICY, { schema: { summary: 'Delete a policy', params: byGuid } }, async ({ params }, reply) => {
    await writeWhenFree(workspace.settings, () => removePolicy(workspace, params.guid));
    return reply.status(204).send();
  });
}
