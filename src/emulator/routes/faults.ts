import type { FaultFile } from '../faults/fault-file.js';
import { ServiceError } from '../rules/service-error.js';
import { requireAdministrator } from './admission.js';
import type { App, Services } from './app.js';
import { NO_CONTENT } from './schemas.js';
import { Type } from './type.js';

const report = Type.Object({
  count: Type.Integer(),
  results: Type.Array(
    Type.Object({
      method: Type.Optional(Type.String()),
      path: Type.Optional(Type.String()),
      body: Type.Optional(Type.String()),
      user: Type.Optional(Type.String()),
      do: Type.String(),
      matched: Type.Integer(),
      struck: Type.Integer(),
      requests: Type.Array(Type.Object({ method: Type.String(), path: Type.String() })),
    }),
  ),
});

const common = {
  tags: ['embedded only'],
  description: 'Not part of the published interface. For administrators; neither counted nor met by a fault itself.',
};

/** Adds the endpoints that show and change the faults while the service runs. */
export function faultRoutes(app: App, { faults }: Services): void {
  const shown = () => ({ count: faults.report().length, results: faults.report() });
  const config = { uncounted: true } as const;
  app.put(
    '/embedded/faults',
    { config, schema: { ...common, summary: 'Replace the faults', body: Type.Unknown(), response: { 200: report } } },
    async (request) => {
      requireAdministrator(request);
      await faults.set(request.body as FaultFile).catch((error: Error) => {
        if (error.name !== 'FaultFileError') throw error;
        const [first, ...others] = error.message.split('\n').map((message) => ({ code: 400, message }));
        throw first ? new ServiceError(first, ...others) : error;
      });
      return shown();
    },
  );
  app.get(
    '/embedded/faults',
    { config, schema: { ...common, summary: 'See what the faults did', response: { 200: report } } },
    async (request) => {
      requireAdministrator(request);
      return shown();
    },
  );
  app.delete(
    '/embedded/faults',
    { config, schema: { ...common, summary: 'End the faults', response: NO_CONTENT } },
    async (request, reply) => {
      requireAdministrator(request);
      await faults.set({ faults: [] });
      return reply.status(204).send();
    },
  );
}
