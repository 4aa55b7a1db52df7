import { type Shape, Type } from './schema.js';

export const VERDICT_FORMAT = 'dexsync-verdict/1';

/** The purposes of signatures, so that none counts as anything else (ssh-keygen(1), namespaces). */
export const NAMESPACES = {
  /** A person's verdict. */
  review: 'dexsync-review@v1',
  /** A verdict that a logged-in person clicked on the page, signed by the server. */
  page: 'dexsync-page@v1',
  /** A plan or rollout that a pipeline made. */
  plan: 'dexsync-plan@v1',
} as const;

/** Times are parts of commands that others run. */
const timeSchema = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$',
  description: 'ISO 8601 in UTC.',
});

/** The schema of `Statement`. Members of later versions stay in the text that was signed. */
export const statementSchema = Type.Object({
  format: Type.Literal(VERDICT_FORMAT),
  subject: Type.String({ description: 'Digest of the changes: sha256: and hexadecimal.' }),
  plan: Type.String({ description: 'Digest of the plan or rollout that the reviewer saw.' }),
  verdict: Type.Union([Type.Literal('approved'), Type.Literal('rejected')]),
  stack: Type.String({ description: 'The stack whose plan it is.' }),
  workspaces: Type.Array(Type.String(), { description: 'Identities of the workspaces that are changed.' }),
  signer: Type.String({ description: 'The name of the reviewer among the allowed signers.' }),
  through: Type.Optional(Type.Literal('page', { description: 'The reviewer clicked; the server signed.' })),
  at: timeSchema,
  expires: timeSchema,
  before: Type.Optional(Type.String({ description: 'Digest of the verdict before it; absent for the first one.' })),
  reason: Type.Optional(Type.String()),
});

/** What a reviewer states about changes. */
export type Statement = Shape<typeof statementSchema>;

/** The schema of `SignedVerdict`. */
export const signedVerdictSchema = Type.Object({
  statement: Type.String({ description: 'The very text that was signed, a Statement as JSON.' }),
  signature: Type.String({ description: 'As `ssh-keygen -Y sign` writes it.' }),
});

/** A statement as it was signed. */
export type SignedVerdict = Shape<typeof signedVerdictSchema>;
