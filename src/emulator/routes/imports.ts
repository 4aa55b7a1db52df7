import { definitionUpdate, importDefinitions, updateDefinition } from '../families/import-definitions.js';
import { answerFor } from '../family/answer.js';
import { addOperation, type Operation } from '../family/operation.js';
import { familyOperations } from '../family/routes.js';
import { writeWhenFree } from '../store/database.js';
import type { ImportOptions } from '../store/imports.js';
import { callerOf } from './admission.js';
import type { App, Services } from './app.js';
import { loadImportChanges } from './import-runs.js';
import type { Static } from './type.js';

/** Adds the endpoints of import definitions (interface 2.1, 4.1; wire-facts 0 and 4). */
export function importRoutes(app: App, services: Services): void {
  for (const operation of familyOperations(services.workspace, importDefinitions)) {
    if (operation.method === 'POST') addOperation(app, creationOf(operation, services));
    else if (operation.method === 'PUT') addOperation(app, updateOf(operation, services));
    else addOperation(app, operation);
  }
}

/** Checks the change of a new definition, too. */
const creationOf = (operation: Operation, services: Services): Operation => ({
  ...operation,
  answer: async (request) => {
    const { addToChange } = (request.body as { readonly options: ImportOptions }).options;
    if (addToChange != null) {
      const { checkAddToChange } = await loadImportChanges(services);
      const { workspace } = services;
      await writeWhenFree(workspace.settings, () => checkAddToChange(workspace, callerOf(request), addToChange));
    }
    return operation.answer(request);
  },
});

/** Takes any body, since a field that cannot be changed has a code of its own. */
const updateOf = (operation: Operation, { workspace }: Services): Operation => ({
  ...operation,
  schema: () => ({ ...operation.schema(), body: definitionUpdate }),
  answer: async (request) => {
    const { guid } = request.params as { readonly guid: string };
    const body = request.body as Static<typeof definitionUpdate>;
    await writeWhenFree(workspace.settings, () => updateDefinition(workspace, guid, body));
    return answerFor(workspace, importDefinitions, guid);
  },
});
