/** The tables of changes for extracts, and of events of integrations. */
export const EXCHANGE_TABLES = `
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
