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
      paged: 'yes',
      can: { ...READ_ONLY, create: 'yes', update: ['name', 'description'] },
    },
    exportDefinitions: { path: '/exports', paged: 'yes', can: { ...READ_ONLY, create: 'yes' } },
    extractDefinitions: {
      path: '/extracts',
      paged: 'yes',
      can: { ...READ_ONLY, create: 'yes', names: 'unique', update: ['name', 'enabled', 'type'] },
    },
    triggers: {
      path: '/settings/integrations/triggers',
      paged: 'yes',
      can: {
        ...READ_ONLY,
        create: 'yes',
        names: 'unique',
        update: ['name', 'description', 'resource', 'action', 'category', 'attributes', 'conditions'],
        delete: 'yes',
      },
    },
    outboundIntegrations: {
      path: '/outboundevents',
      paged: 'no',
      can: {
        ...READ_ONLY,
        create: 'yes',
        update: ['name', 'enabled'],
        delete: 'yes',
        children: ['triggers', 'administrators'],
      },
    },
    userGroups: {
      path: '/settings/usergroups',
      paged: 'no',
      can: {
        ...READ_ONLY,
        create: 'yes',
        names: 'unique',
        update: ['name', 'description', 'enabled', 'assignability'],
        delete: 'yes',
        children: ['members'],
      },
    },
    policies: {
      path: '/settings/policies',
      paged: 'no',
      can: {
        ...READ_ONLY,
        create: 'yes',
        names: 'unique',
        update: ['name', 'description', 'enabled', 'userGroups', 'rules'],
        delete: 'yes',
      },
    },
    numberReservations: {
      path: '/settings/items/numberreservations',
      paged: 'no',
      can: { ...READ_ONLY, create: 'yes', names: 'unique', delete: 'yes' },
    },
    suppliers: {
      path: '/suppliers',
      paged: 'yes',
      can: {
        ...{ ...READ_ONLY, create: 'yes', delete: 'yes', clears: 'with setnull' },
        update: ['name', 'description', 'supplierId', 'accountNumber', 'website', 'approvalStatus'],
        children: ['addresses', 'phoneNumbers'],
      },
    },
    trainingPlans: {
      path: '/trainingplans',
      paged: 'yes',
      can: {
        ...{ ...READ_ONLY, create: 'yes', delete: 'yes', clears: 'with setnull' },
        update: ['name', 'description', 'daysToComplete', 'manager'],
      },
    },
    bomSettings: {
      path: '/items',
      paged: 'yes',
      can: {
        ...{ ...READ_ONLY, updateBody: 'partial', names: 'unique' },
        update: ['automaticallyGenerateLineNumbers', 'checkReferenceDesignators'],
      },
    },
    users: { path: '/settings/users', paged: 'yes' },
    categories: { path: '/settings/items/categories', paged: 'no' },
    changeCategories: { path: '/settings/changes/categories', paged: 'no' },
    fileCategories: { path: '/settings/files/categories', paged: 'no' },
    requestCategories: { path: '/settings/requests/categories', paged: 'no' },
    lifecyclePhases: { path: '/settings/items/lifecyclephases', paged: 'no' },
    numberFormats: { path: '/settings/items/numberformats', paged: 'no' },
    itemAttributes: { path: '/settings/items/attributes', paged: 'no', query: WITH_VALUES },
    bomAttributes: { path: '/settings/items/bom/attributes', paged: 'no', query: WITH_VALUES },
    changeAttributes: { path: '/settings/changes/attributes', paged: 'no', query: WITH_VALUES },
    requestAttributes: { path: '/settings/requests/attributes', paged: 'no', query: WITH_VALUES },
    qualityAttributes: { path: '/settings/qualityprocesses/attributes', paged: 'no', query: WITH_VALUES },
    supplierAttributes: { path: '/settings/suppliers/attributes', paged: 'no', query: WITH_VALUES },
    supplierItemAttributes: { path: '/settings/supplieritems/attributes', paged: 'no', query: WITH_VALUES },
    fileAttributes: { path: '/settings/files/attributes', paged: 'no', query: WITH_VALUES },
    itemRequirements: { path: '/settings/items/requirements', paged: 'no' },
    supplierItemRequirements: { path: '/settings/supplieritems/requirements', paged: 'no' },
    changeRoutings: { path: '/settings/changes/routings', paged: 'no' },
    ticketTemplates: { path: '/settings/tickets/templates', paged: 'no' },
    qualityTemplates: { path: '/settings/qualityprocesses/templates', paged: 'no' },
    ticketAttributes: { path: '/settings/tickets/attributes', paged: 'no', query: WITH_VALUES },
  },
};
