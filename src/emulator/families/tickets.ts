import { documented, inverse, owned } from '../documented/documented.js';
import { nextNumber } from '../documented/numbering.js';
import type { Stated, StatusChanges } from '../documented/status-changes.js';
import { refusal, refuse } from '../rules/service-error.js';
import { QUALITY_LINK } from './quality-processes.js';

/** The states of tickets, each with the text that answers show (wire-facts 8.7). */
const STATES: Readonly<Record<string, string>> = {
  NOT_STARTED: 'Not Started',
  IN_PROGRESS: 'In Progress',
  COMPLETE: 'Complete',
};

const isComplete = ({ status }: Stated['fields']): boolean => status === 'COMPLETE';

/** Tickets (wire-facts 8.7), with a number of their own or that of a sequence. */
export const tickets = documented('/tickets', {
  one: 'a ticket',
  many: 'tickets',
  world: 'TICKETS',
  links: { template: '/settings/tickets/templates' },
  shows: { status: (status, { guid }) => ({ guid, value: STATES[String(status)] ?? null }) },
  begin: ({ number }, writing) => {
    if (number && writing.body.numberSequencePrefix) {
      throw refusal(3455, 'A ticket has a number of its own or a prefix, not both.');
    }
    return { number: number ?? nextNumber(writing, '/settings/tickets/numbersequences', 3453), status: 'NOT_STARTED' };
  },
  check: (ticket) => {
    if (isComplete(ticket.fields)) throw refusal(3090, 'A complete ticket cannot be edited.');
    return ticket;
  },
});

/** Moves a ticket to any state; a complete one can be opened again. */
export const ticketStatuses: StatusChanges = {
  path: '/tickets/statuschanges',
  family: tickets,
  by: 'ticket',
  move: (_, { body: { status } }) => {
    if (STATES[String(status)] === undefined) throw refuse.option(String(status), 'status');
    return { status };
  },
};

const ticketFiles = owned(tickets, 'files', { one: 'a file', many: 'files', once: ['file', 3097] });
const ticketItems = owned(tickets, 'items', {
  one: 'an item',
  many: 'items',
  once: ['item', 3456],
  begin: (_, { body }) => ({ item: (body.items as { readonly guid: string }).guid }),
});
const ticketChanges = owned(tickets, 'changes', { one: 'a change', many: 'changes', once: ['change', 3456] });
const ticketTickets = owned(tickets, 'tickets', {
  one: 'a ticket',
  many: 'tickets',
  once: ['ticket', 3456],
  after: ({ ownerGuid, fields }) => {
    if (fields.ticket === ownerGuid) throw refusal(3458, 'A ticket cannot refer to itself.');
  },
});

const ticketQuality = owned(tickets, 'quality', { one: 'a quality step', many: 'quality steps', ...QUALITY_LINK });

/** What belongs to tickets. */
export const partsOfTickets = [ticketQuality, ticketFiles, ticketItems, ticketChanges, ticketTickets];

/** The tickets of items and changes. */
export const ticketRelations = [
  inverse('/items/{guid}/tickets', ticketItems),
  inverse('/changes/{guid}/tickets', ticketChanges),
];
