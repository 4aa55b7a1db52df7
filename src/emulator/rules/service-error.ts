/** One entry of an error answer: a code of wire-facts 2.1 and a text for people. */
export interface ErrorDetail {
  readonly code: number;
  readonly message: string;
}

/** The refusal of a request or a row by the rules. It has codes; the routes map them to HTTP statuses. */
export class ServiceError extends Error {
  readonly details: readonly ErrorDetail[];
  /** The HTTP status, if not that of its first code. */
  readonly status?: number;

  constructor(first: ErrorDetail, ...others: readonly ErrorDetail[]) {
    super(first.message);
    this.name = 'ServiceError';
    this.details = [first, ...others];
  }
}

/** A refusal that one rule alone has; its code is in wire-facts, and its status, if it is not that of the code. */
export const refusal = (code: number, message: string, status?: number): ServiceError =>
  Object.assign(new ServiceError({ code, message }), status === undefined ? {} : { status });

/** The refusals that several rules share, by what went wrong (codes: wire-facts 2.1; the wording is ours). */
export const refuse = {
  malformed: (why: string) => new ServiceError({ code: 400, message: `The request cannot be read: ${why}` }),
  noSession: () => new ServiceError({ code: 401, message: 'The request carries no session, or one that has ended.' }),
  noPrivilege: (what: string) => new ServiceError({ code: 3221, message: `You may not ${what}.` }),
  noEndpoint: (path: string) => new ServiceError({ code: 404, message: `There is no endpoint ${path}.` }),
  method: (method: string, path: string) =>
    new ServiceError({ code: 405, message: `${path} does not answer ${method}.` }),
  required: (name: string) => new ServiceError({ code: 3001, message: `The attribute "${name}" is required.` }),
  invalid: (name: string, why: string) => new ServiceError({ code: 3003, message: `"${name}" is not valid: ${why}` }),
  unrecognized: (name: string) =>
    new ServiceError({ code: 3004, message: `The attribute "${name}" is not recognized.` }),
  option: (value: string, name: string) =>
    new ServiceError({ code: 3006, message: `"${value}" is not an option of the attribute "${name}".` }),
  guid: (guid: string) => new ServiceError({ code: 3011, message: `The GUID "${guid}" is not valid.` }),
  absent: (guid: string) => new ServiceError({ code: 3012, message: `There is no object with the GUID "${guid}".` }),
  unsearchable: (name: string) =>
    new ServiceError({ code: 3019, message: `The attribute "${name}" is not searchable.` }),
  empty: (name: string) => new ServiceError({ code: 3020, message: `The value of "${name}" cannot be empty.` }),
  uneditable: (name: string) => new ServiceError({ code: 3032, message: `The attribute "${name}" is not editable.` }),
  blankSearch: (name: string) =>
    new ServiceError({ code: 3100, message: `The search by "${name}" needs a value that is not blank.` }),
  page: () => new ServiceError({ code: 3220, message: 'limit must be 1 to 400, and offset 0 or more.' }),
} as const;
