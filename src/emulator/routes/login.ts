import { chooseWorkspace, rememberWorkspace } from '../rules/choose-workspace.js';
import { logIn, logOut } from '../rules/sessions.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { Type } from './type.js';

const credentials = Type.Object(
  {
    email: Type.String(),
    password: Type.String(),
    // Some clients send it as text (wire-facts 0).
    workspaceId: Type.Optional(
      Type.Union([Type.Integer(), Type.Unsafe<string>({ type: 'string', pattern: '^\\d+$' })]),
    ),
  },
  { additionalProperties: false },
);

const loginAnswer = Type.Intersect([
  Type.Object({ workspaceId: Type.Integer(), workspaceName: Type.String(), workspaceRequestLimit: Type.Integer() }),
  Type.Record(Type.String(), Type.Unknown(), { description: 'The token, in the field that the dialect names' }),
]);

/** Adds the endpoints to log in and out (interface 5; forms: wire-facts 0 and 1). */
export function loginRoutes(app: App, { workspace, workspaces }: Services): void {
  app.post(
    '/login',
    {
      config: { open: true, uncounted: true },
      schema: { summary: 'Open a session', body: credentials, response: { 200: loginAnswer } },
    },
    async ({ body }) => {
      const chosen = chooseWorkspace(workspaces(), body) ?? workspace;
      const token = await logIn(chosen, body);
      rememberWorkspace(workspaces(), body, chosen);
      return {
        ...Object.fromEntries(chosen.dialect.tokenFields.map((field) => [field, token])),
        workspaceId: chosen.id,
        workspaceName: chosen.name,
        workspaceRequestLimit: chosen.requestLimit,
      };
    },
  );

  app.put('/logout', { schema: { summary: 'End the session' } }, async (request, reply) => {
    logOut(workspace, callerOf(request));
    return reply.status(200).send();
  });
}
