import { parseAllDocuments, visit } from 'yaml';
import { jsonWithoutWorkflowCommands, withoutWorkflowCommands } from '#base/printable.js';

/** Folds nothing: a continued line of a quoted value could begin with a command again. */
const UNFOLDED = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** Quotes values that GitHub Actions could take for workflow commands; the values of the YAML stay the same. */
export function yamlWithoutWorkflowCommands(text: string): string {
  if (withoutWorkflowCommands(text) === text) return text;
  const documents = parseAllDocuments(text);
  if ('empty' in documents) return withoutWorkflowCommands(text);
  for (const document of documents) {
    visit(document, {
      Scalar(_, scalar) {
        if (typeof scalar.value === 'string' && withoutWorkflowCommands(scalar.value) !== scalar.value)
          scalar.type = 'QUOTE_DOUBLE';
      },
    });
  }
  return jsonWithoutWorkflowCommands(documents.map((document) => document.toString(UNFOLDED)).join(''));
}
