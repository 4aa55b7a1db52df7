import type { Row } from '#base/sqlite/sqlite.js';
import type { Shape } from '../interface/shape.js';
import { byGuid, byMemberGuid, listEnvelope, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import type { Query } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause } from '../store/search.js';
import { type Answer, answerSchema, createAnswerer } from './answer.js';
import type { Family } from './family.js';
import { listRecords } from './list-records.js';
import type { Operation } from './operation.js';
import { findRow } from './records.js';

/** A family whose entries are reached through an object that they refer to. */
export interface Relation {
  readonly family: Family;
  readonly owner: Family;
  /** The field that refers to the owner. */
  readonly by: string;
  /** The condition that an entry is one of an owner, if it is more than that field. */
  readonly related?: (owner: string) => Clause;
  /** The last segment of their path. */
  readonly segment: string;
  /** The documented form of its entries. */
  readonly shape?: Shape;
  /** The summaries of the list and of a single read in the OpenAPI document. */
  readonly list: string;
  readonly get: string;
}

/** The operations that read the entries of an owner. */
export function relationOperations(workspace: Workspace, relation: Relation): Operation[] {
  const { family, owner, segment, shape = 'full' } = relation;
  const path = `${owner.path}/:guid/${segment}`;
  const answer = () => answerSchema(family, shape);
  return [
    {
      ...{ method: 'GET', path, status: 200 },
      schema: () => ({
        ...{ summary: relation.list, params: byGuid, response: { 200: listEnvelope(answer()) } },
        querystring: (family.paged ? pagedQuery : searchQuery)(family.search),
      }),
      answer: async ({ params, query }) =>
        page(listRelated(workspace, relation, (params as ByGuid).guid, query as Query)),
    },
    {
      ...{ method: 'GET', path: `${path}/:member`, status: 200 },
      schema: () => ({ summary: relation.get, params: byMemberGuid, response: { 200: answer() } }),
      answer: async ({ params }) => {
        const { guid, member } = params as ByGuid & { readonly member: string };
        const row = findRelated(workspace, relation, guid, member);
        return createAnswerer(family, { workspace, query: {} }, shape)(row);
      },
    },
  ];
}

type ByGuid = { readonly guid: string };

/** Finds the row of an owner's entry; refuses with 3011 a GUID that is not one of its entries. */
function findRelated(workspace: Workspace, relation: Relation, owner: string, guid: string): Row {
  findRow(workspace, relation.owner, owner);
  return findRow(workspace, relation.family, guid, ofOwner(relation, owner));
}

function listRelated(workspace: Workspace, relation: Relation, owner: string, query: Query): Answer[] {
  findRow(workspace, relation.owner, owner);
  const { family, shape } = relation;
  return listRecords(workspace, family, query, { view: shape, fixed: ofOwner(relation, owner) });
}

function ofOwner({ family, by, related }: Relation, owner: string): Clause {
  if (related !== undefined) return related(owner);
  const { columns } = family.rows;
  return { sql: `${columns[`${by}.guid`] ?? columns[by]} = ?`, values: [owner] };
}
