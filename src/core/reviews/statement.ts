import { NAMESPACES, type Statement } from '../model/verdict.js';

/** The text of a statement to sign. */
export const statementText = (statement: Statement): string => `${JSON.stringify(statement, undefined, 1)}\n`;

/** The purpose of the signature of a statement. */
export const namespaceOf = ({ through }: Pick<Statement, 'through'>): string =>
  through === undefined ? NAMESPACES.review : NAMESPACES.page;
