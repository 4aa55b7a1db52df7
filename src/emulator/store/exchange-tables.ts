/** The tables of export runs, extract runs and events of integrations. */
export const EXCHANGE_TABLES = `
CREATE TABLE export_runs (
  number INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE,
  definition TEXT NOT NULL REFERENCES export_definitions (guid), status TEXT NOT NULL, criteria TEXT NOT NULL,
  results INTEGER NOT NULL, file TEXT, title TEXT, size INTEGER, created TEXT NOT NULL, completed TEXT,
  creator TEXT NOT NULL REFERENCES users (guid)
);
CREATE INDEX export_runs_of_definition ON export_runs (definition, number);
CREATE INDEX export_runs_open ON export_runs (number) WHERE status IN ('CREATED', 'RUNNING');
CREATE TABLE extract_runs (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, extract TEXT NOT NULL REFERENCES extracts (guid),
  status TEXT NOT NULL, type TEXT NOT NULL, views TEXT NOT NULL, scheduled TEXT NOT NULL, started TEXT, completed TEXT,
  creator TEXT NOT NULL REFERENCES users (guid), file TEXT, file_name TEXT, size INTEGER, downloaded TEXT
);
CREATE INDEX extract_runs_of_extract ON extract_runs (extract, seq);
CREATE INDEX extract_runs_open ON extract_runs (seq) WHERE status = 'IN_PROCESS';
CREATE TABLE extract_changes (
  extract TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (extract, item)
) WITHOUT ROWID;
CREATE TABLE outbound_events (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE,
  integration TEXT NOT NULL REFERENCES outbound_integrations (guid) ON DELETE CASCADE, triggers TEXT NOT NULL,
  created TEXT NOT NULL, creator TEXT NOT NULL REFERENCES users (guid)
);
CREATE INDEX outbound_events_of_integration ON outbound_events (integration, created, seq);
CREATE TABLE event_items (
  seq INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE,
  event TEXT NOT NULL REFERENCES outbound_events (guid) ON DELETE CASCADE, item TEXT NOT NULL, before TEXT NOT NULL,
  after TEXT NOT NULL, reconciled INTEGER NOT NULL, reconciled_at TEXT, reconciled_by TEXT
);
CREATE INDEX event_items_of_event ON event_items (event, reconciled, seq);
`;
