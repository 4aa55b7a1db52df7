import type { Row } from '#base/sqlite/sqlite.js';
import type { Shape } from '../interface/shape.js';
import { byGuid, byMemberGuid, listEnvelope, page, pagedQuery, searchQuery } from '../routes/schemas.js';
import type { Query } from '../rules/search.js';
import type { Workspace } from '../rules/workspace.js';
import type { Clause } from '../store/search.js';
import { type Answer, answerSchema, createAnswerer, entriesSchema } from './answer.js';
import type { Family } from './family.js';
import { flagNames, listRecords } from './list-records.js';
import type { Operation } from './operation.js';
import { entryGuid, findRow, refersTo } from './records.js';

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
  /** The documented form of its entries, and of one that is read alone. */
  readonly shape?: Shape;
  readonly single?: Shape;
  /** The summaries of the list and of a single read in the OpenAPI document; without one, there is no single read. */
  readonly list: string;
  readonly get?: string;
}

/** The operations that read the entries of an owner. */
export function relationOperations(workspace: Workspace, relation: Relation): Operation[] {
  const { family, owner, segment, shape = 'full', single = shape, get: summary } = relation;
  const path = `${owner.path}/:guid/${segment}`;
  const list: Operation = {
    ...{ method: 'GET', path, status: 200 },
    schema: () => ({
      ...{
        summary: relation.list,
        params: byGuid,
        response: { 200: listEnvelope(entriesSchema(family, shape)) },
      },
      querystring: (family.paged ? pagedQuery : searchQuery)(family.search, ...flagNames(family)),
    }),
    answer: async ({ params, query }) =>
      page(listRelated(workspace, relation, (params as ByGuid).guid, query as Query)),
  };
  if (summary === undefined) return [list];
  const one: Operation = {
    ...{ method: 'GET', path: `${path}/:member`, status: 200 },
    schema: () => ({ summary, params: byMemberGuid, response: { 200: answerSchema(family, single) } }),
    answer: async ({ params }) => {
      const { guid, member } = params as ByGuid & { readonly member: string };
      const row = findRelated(workspace, relation, guid, member);
      return createAnswerer(family, { workspace, query: {} }, single)(row);
    },
  };
  return [list, one];
}

type ByGuid = { readonly guid: string };

/** Finds the row of an owner's entry; refuses with 3011 a GUID that is not one of its entries. */
function findRelated(workspace: Workspace, relation: Relation, owner: string, guid: string): Row {
  return findRow(workspace, relation.family, guid, ofOwner(relation, findRow(workspace, relation.owner, owner)));
}

function listRelated(workspace: Workspace, relation: Relation, owner: string, query: Query): Answer[] {
  const row = findRow(workspace, relation.owner, owner);
  const { family, shape } = relation;
  return listRecords(workspace, family, query, { view: shape, fixed: ofOwner(relation, row) });
}

function ofOwner({ family, owner, by, related }: Relation, row: Row): Clause {
  if (related !== undefined) return related(entryGuid(owner, row));
  const { columns } = family.rows;
  return refersTo(columns[`${by}.guid`] ?? columns[by] ?? 'NULL', owner, row);
}
