import type { Row } from '#base/sqlite/sqlite.js';
import type { Shape } from '../interface/shape.js';
import type { App, Services } from '../routes/app.js';
import { byGuid, byMemberGuid, listEnvelope, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import type { Query } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause } from '../store/search.js';
import { type Answer, answerSchema, createAnswerer } from './answer.js';
import type { Family } from './family.js';
import { listRecords } from './list-records.js';
import { findRow } from './records.js';

/** A family whose entries are reached through an object that they refer to. */
export interface Relation {
  readonly family: Family;
  readonly owner: Family;
  /** The field that refers to the owner. */
  readonly by: string;
  /** The last segment of their path. */
  readonly segment: string;
  /** Fields that are not shown from this end. */
  readonly without?: readonly string[];
  /** The documented form of its entries. */
  readonly shape?: Shape;
  /** The summaries of the list and of a single read in the OpenAPI document. */
  readonly list: string;
  readonly get: string;
}

/** Adds the endpoints that read the entries of an owner. */
export function relationRoutes(app: App, { workspace }: Services, relation: Relation): void {
  const { family, owner, segment, without, shape = 'full' } = relation;
  const path = `${owner.path}/:guid/${segment}`;
  const answer = answerSchema(family, shape, without);
  const querystring = (family.paged ? pagedQuery : searchQuery)(family.search);
  const list = { params: byGuid, querystring, response: { 200: listEnvelope(answer) } };
  app.get(path, { schema: { summary: relation.list, ...list } }, async ({ params, query }) =>
    page(listRelated(workspace, relation, params.guid, query)),
  );
  const one = { params: byMemberGuid, response: { 200: answer } };
  app.get(`${path}/:member`, { schema: { summary: relation.get, ...one } }, async ({ params }) =>
    createAnswerer(
      family,
      { workspace, query: {} },
      shape,
      without,
    )(findRelated(workspace, relation, params.guid, params.member)),
  );
}

/** Finds the row of an owner's entry; refuses with 3011 a GUID that is not one of its entries. */
export function findRelated(workspace: Workspace, relation: Relation, owner: string, guid: string): Row {
  findRow(workspace, relation.owner, owner);
  return findRow(workspace, relation.family, guid, ofOwner(relation, owner));
}

function listRelated(workspace: Workspace, relation: Relation, owner: string, query: Query): Answer[] {
  findRow(workspace, relation.owner, owner);
  const { family, without, shape } = relation;
  return listRecords(workspace, family, query, { without, view: shape, fixed: ofOwner(relation, owner) });
}

function ofOwner({ family, by }: Relation, owner: string): Clause {
  const { columns } = family.rows;
  return { sql: `${columns[`${by}.guid`] ?? columns[by]} = ?`, values: [owner] };
}
