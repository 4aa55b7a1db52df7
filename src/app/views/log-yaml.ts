import { parseAllDocuments, visit } from 'yaml';
import { jsonWithoutWorkflowCommands, withoutWorkflowCommands } from '#base/printable.js';

/** Nothing is folded: a line that is broken within quotes could begin with a command again. */
const UNFOLDED = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** YAML without workflow commands of GitHub Actions whose values stay as they are: what could act as one is quoted. */
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
