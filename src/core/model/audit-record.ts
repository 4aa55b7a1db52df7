/** Who made and last changed an object. Times are those of the service: ISO 8601 in UTC. */
export interface AuditRecord {
  readonly createdAt?: string;
  readonly createdBy?: string;
  readonly changedAt?: string;
  readonly changedBy?: string;
}
