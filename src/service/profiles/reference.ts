import { type Profile, READ_ONLY } from './profile.js';

/** Without this query, attributes come without their possible values (wire-facts 7). */
const WITH_VALUES = { includePossibleValues: 'true' };

/** The profile of wire-facts, section 0, column `reference`: the default of the embedded workspace. */
export const reference: Profile = {
  name: 'reference',
  tokenFields: ['sessionId'],
  headers: {
    session: 'Service-Session-Id',
    usageReason: 'Service-Usage-Reason',
    requestsRemaining: 'x-requests-remaining',
    nextReset: 'x-next-request-limit-reset',
  },
  pageLimit: 400,
  customAttributes: 'guid',
  version: '/settings/version',
  collections: {
    importDefinitions: {
      path: '/imports',
      paged: true,
      can: { ...READ_ONLY, create: true, update: ['name', 'description'] },
    },
    exportDefinitions: { path: '/exports', paged: true, can: { ...READ_ONLY, create: true } },
    extractDefinitions: {
      path: '/extracts',
      paged: true,
      can: { ...READ_ONLY, create: true, names: 'unique', update: ['name', 'enabled', 'type'] },
    },
    triggers: {
      path: '/settings/integrations/triggers',
      paged: true,
      can: {
        ...READ_ONLY,
        create: true,
        names: 'unique',
        update: ['name', 'description', 'resource', 'action', 'category', 'attributes', 'conditions'],
        delete: true,
      },
    },
    outboundIntegrations: {
      path: '/outboundevents',
      paged: false,
      can: {
        ...READ_ONLY,
        create: true,
        update: ['name', 'enabled'],
        delete: true,
        children: ['triggers', 'administrators'],
      },
    },
    userGroups: {
      path: '/settings/usergroups',
      paged: false,
      can: {
        ...READ_ONLY,
        create: true,
        names: 'unique',
        update: ['name', 'description', 'enabled', 'assignability'],
        delete: true,
        children: ['members'],
      },
    },
    policies: {
      path: '/settings/policies',
      paged: false,
      can: {
        ...READ_ONLY,
        create: true,
        names: 'unique',
        update: ['name', 'description', 'enabled', 'userGroups', 'rules'],
        delete: true,
      },
    },
    numberReservations: {
      path: '/settings/items/numberreservations',
      paged: false,
      can: { ...READ_ONLY, create: true, names: 'unique', delete: true },
    },
    suppliers: {
      path: '/suppliers',
      paged: true,
      can: {
        ...{ ...READ_ONLY, create: true, delete: true, clears: 'with setnull' },
        update: ['name', 'description', 'supplierId', 'accountNumber', 'website', 'approvalStatus'],
        children: ['addresses', 'phoneNumbers'],
      },
    },
    trainingPlans: {
      path: '/trainingplans',
      paged: true,
      can: {
        ...{ ...READ_ONLY, create: true, delete: true, clears: 'with setnull' },
        update: ['name', 'description', 'daysToComplete', 'manager'],
      },
    },
    bomSettings: {
      path: '/items',
      paged: true,
      can: {
        ...{ ...READ_ONLY, updateBody: 'partial', names: 'unique' },
        update: ['automaticallyGenerateLineNumbers', 'checkReferenceDesignators'],
      },
    },
    users: { path: '/settings/users', paged: true },
    categories: { path: '/settings/items/categories', paged: false },
    changeCategories: { path: '/settings/changes/categories', paged: false },
    fileCategories: { path: '/settings/files/categories', paged: false },
    requestCategories: { path: '/settings/requests/categories', paged: false },
    lifecyclePhases: { path: '/settings/items/lifecyclephases', paged: false },
    numberFormats: { path: '/settings/items/numberformats', paged: false },
    itemAttributes: { path: '/settings/items/attributes', paged: false, query: WITH_VALUES },
    bomAttributes: { path: '/settings/items/bom/attributes', paged: false, query: WITH_VALUES },
    changeAttributes: { path: '/settings/changes/attributes', paged: false, query: WITH_VALUES },
    requestAttributes: { path: '/settings/requests/attributes', paged: false, query: WITH_VALUES },
    qualityAttributes: { path: '/settings/qualityprocesses/attributes', paged: false, query: WITH_VALUES },
    supplierAttributes: { path: '/settings/suppliers/attributes', paged: false, query: WITH_VALUES },
    supplierItemAttributes: { path: '/settings/supplieritems/attributes', paged: false, query: WITH_VALUES },
    fileAttributes: { path: '/settings/files/attributes', paged: false, query: WITH_VALUES },
    itemRequirements: { path: '/settings/items/requirements', paged: false },
    supplierItemRequirements: { path: '/settings/supplieritems/requirements', paged: false },
    changeRoutings: { path: '/settings/changes/routings', paged: false },
    ticketTemplates: { path: '/settings/tickets/templates', paged: false },
    qualityTemplates: { path: '/settings/qualityprocesses/templates', paged: false },
    ticketAttributes: { path: '/settings/tickets/attributes', paged: false, query: WITH_VALUES },
  },
};
