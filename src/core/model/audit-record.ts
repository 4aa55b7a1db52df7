/** Who created and last changed an object. Times are the service's, in ISO 8601 and UTC. */
export interface AuditRecord {
  readonly createdAt?: string;
  readonly createdBy?: string;
  readonly changedAt?: string;
  readonly changedBy?: string;
}
