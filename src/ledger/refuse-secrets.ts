import type { Secrets } from '#base/secrets.js';
import type { Backend } from './backend.js';
import type { DocumentStore, Shelf } from './document-store.js';

/** Wraps a backend so that a journal, document or note that contains a secret throws SECRET_RECORDED. */
export const guardedBackend = (backend: Backend, secrets: Secrets): Backend => ({
  ...backend,
  journals: (identity, mayWrite) => ({ ...backend.journals(identity, mayWrite), secrets }),
  documents: (shelf) => guardedDocuments(backend.documents(shelf), shelf, secrets),
  seen: (...names) => {
    const store = backend.seen(...names);
    return {
      ...store,
      write: async (text) => {
        secrets.refuse(text, 'What was seen last');
        return store.write(text);
      },
    };
  },
});

const guardedDocuments = (documents: DocumentStore, { what }: Shelf, secrets: Secrets): DocumentStore => ({
  ...documents,
  add: async (name, text, log) => {
    secrets.refuse(`${name} ${text} ${log}`, `The saved ${what} "${secrets.redact(name)}"`);
    return documents.add(name, text, log);
  },
  addNote: async (name, note, log) => {
    secrets.refuse(`${note} ${log}`, `The review of "${name}"`);
    return documents.addNote(name, note, log);
  },
});
