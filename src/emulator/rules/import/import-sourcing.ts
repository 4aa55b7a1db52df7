import { type SourcingRecord, sourcing } from '../../families/sourcing.js';
import { type SupplierItemRecord, supplierItems } from '../../families/supplier-items.js';
import { type SupplierRecord, suppliers } from '../../families/suppliers.js';
import { recordTable } from '../../family/record-table.js';
import type { ItemName } from '../../store/item-draft.js';
import type { FieldValue } from '../../store/items.js';
import { RecordDraft } from '../../store/record-draft.js';
import { isGuid } from '../guid-source.js';
import { refuse, ServiceError } from '../service-error.js';
import { duplicate, findOwners, type ImportContext } from './import-context.js';
import type { Importer } from './importer.js';
import { ItemsByName } from './items-by-name.js';
import { type ImportRow, parseRowValues } from './read-row.js';
import { requiredError } from './values.js';

/** Wire-facts 2.1: only the working revision takes updates. INFERRED: a locked version is refused in the same way. */
const LOCKED = 3224;
const OWN = ['priority', 'notes'];
const OF_SUPPLIER_ITEM = 'supplierItem.';

/**
 * Imports the rows of an ITEM_SOURCING run: each relates an item, which must be unlocked, to a supplier item (interface
 * 7). ASSUMED: a new relationship creates the supplier and the supplier item that it names if they are missing, since
 * the interface has no other way to load them; cells of the supplier item change it.
 */
export class SourcingImport implements Importer {
  readonly #context: ImportContext;
  readonly #items: ItemsByName;
  readonly #suppliers: RecordDraft<SupplierRecord>;
  readonly #supplierItems: RecordDraft<SupplierItemRecord>;
  readonly #relations: RecordDraft<SourcingRecord>;

  constructor(context: ImportContext) {
    this.#context = context;
    this.#items = new ItemsByName(context.items);
    this.#suppliers = new RecordDraft(context.data, recordTable(suppliers));
    this.#supplierItems = new RecordDraft(context.data, recordTable(supplierItems));
    this.#relations = new RecordDraft(context.data, recordTable(sourcing));
  }

  apply(row: ImportRow): void {
    const items = findOwners(row, this.#context, this.#items);
    for (const item of items) {
      if (!this.#context.items.isLocked(item.guid)) continue;
      const message = `The item "${item.number}" is locked; its sourcing cannot be changed.`;
      throw new ServiceError({ code: LOCKED, message });
    }
    const known = this.#supplierItemNamed(row);
    for (const item of items) this.#applyTo(item, known, row);
  }

  merge(): void {
    this.#suppliers.merge();
    this.#supplierItems.merge();
    this.#relations.merge();
  }

  #applyTo(item: ItemName, known: SupplierItemRecord | undefined, row: ImportRow): void {
    const relation = known && this.#between(item, known);
    switch (this.#context.mode) {
      case 'CREATE':
        if (relation) throw duplicate(`"${known?.number}" is a source of the item "${item.number}" already.`);
        this.#relate(item, known, row);
        break;
      case 'OVERWRITE':
        if (relation) this.#edit(relation, known, row);
        else this.#relate(item, known, row);
        break;
      case 'EDIT':
        this.#edit(existing(relation, item, row), known, row);
        break;
      case 'DELETE':
        this.#relations.remove(existing(relation, item, row));
        break;
      case 'REPLACE':
        throw refuse.option('REPLACE', 'mode');
      default:
        this.#context.mode satisfies never;
    }
  }

  #relate(item: ItemName, known: SupplierItemRecord | undefined, row: ImportRow): void {
    const supplierItem = this.#saved(known ?? this.#newSupplierItem(row), row);
    const blank = { guid: this.#context.chance.guid(), item: item.guid, supplierItem: supplierItem.guid };
    this.#relations.put(this.#filled({ ...blank, approvalStatus: null, fields: {} }, row));
  }

  #edit(relation: SourcingRecord, known: SupplierItemRecord | undefined, row: ImportRow): void {
    if (known) this.#saved(known, row);
    this.#relations.put(this.#filled(relation, row));
  }

  #between(item: ItemName, supplierItem: SupplierItemRecord): SourcingRecord | undefined {
    return this.#relations.find({ item: item.guid, supplier_item: supplierItem.guid })[0];
  }

  /** Finds the supplier item by GUID, which has priority, or by supplier and number. */
  #supplierItemNamed({ texts }: ImportRow): SupplierItemRecord | undefined {
    const guid = texts.get('supplierItem.guid');
    if (guid !== undefined) {
      const found = this.#supplierItems.byGuid(guid.toUpperCase());
      if (!found) throw refuse.guid(guid);
      return found;
    }
    const number = texts.get('supplierItem.number');
    if (number === undefined) throw refuse.required('supplierItem.number');
    const supplier = this.#supplierNamed(texts);
    return supplier && this.#supplierItems.find({ supplier: supplier.guid, number })[0];
  }

  #supplierNamed(texts: ImportRow['texts']): SupplierRecord | undefined {
    const guid = texts.get('supplier.guid');
    if (guid !== undefined) {
      const found = this.#suppliers.byGuid(guid.toUpperCase());
      if (!found) throw refuse.guid(guid);
      return found;
    }
    const name = texts.get('supplier.name');
    if (name === undefined) throw refuse.required('supplier.name');
    const [supplier, ...others] = this.#suppliers.find({ name });
    if (others.length > 0) throw duplicate(`${others.length + 1} suppliers have the name "${name}".`);
    return supplier;
  }

  #newSupplierItem({ texts }: ImportRow): SupplierItemRecord {
    const { chance, at, by } = this.#context;
    const supplier = this.#supplierNamed(texts) ?? this.#newSupplier(texts.get('supplier.name') ?? '');
    return {
      guid: chance.guid(),
      supplier: supplier.guid,
      number: texts.get('supplierItem.number') ?? '',
      fields: {},
      additional: {},
      creationDateTime: at,
      creator: by,
      lastModifiedDateTime: null,
    };
  }

  #newSupplier(name: string): SupplierRecord {
    const { chance, at, by } = this.#context;
    const supplier = { guid: chance.guid(), name, fields: {}, additional: {}, creationDateTime: at, creator: by };
    this.#suppliers.put(supplier);
    return supplier;
  }

  /** Applies the cells of the row to the supplier item; stores it only if something changed. */
  #saved(supplierItem: SupplierItemRecord, row: ImportRow): SupplierItemRecord {
    const fields: Record<string, unknown> = { ...supplierItem.fields };
    const additional: Record<string, FieldValue> = { ...supplierItem.additional };
    for (const [key, value] of parseRowValues(row, this.#context.options)) {
      if (isGuid(key)) additional[key] = value;
      else if (isOwn(key)) fields[key.slice(OF_SUPPLIER_ITEM.length)] = value;
    }
    for (const key of row.removed) {
      if (isGuid(key)) delete additional[key];
      else if (isOwn(key)) delete fields[key.slice(OF_SUPPLIER_ITEM.length)];
    }
    const missing = this.#context.required.find((target) => target.custom && additional[target.key] === undefined);
    if (missing) throw requiredError(missing);
    const isNew =
      supplierItem.lastModifiedDateTime === null && this.#supplierItems.byGuid(supplierItem.guid) === undefined;
    const saved = { ...supplierItem, fields, additional, lastModifiedDateTime: isNew ? null : this.#context.at };
    const before = [supplierItem.fields, supplierItem.additional];
    if (isNew || JSON.stringify(before) !== JSON.stringify([fields, additional])) this.#supplierItems.put(saved);
    return saved;
  }

  #filled(relation: SourcingRecord, row: ImportRow): SourcingRecord {
    const { surroundings, options } = this.#context;
    const fields: Record<string, unknown> = { ...relation.fields };
    for (const [key, value] of parseRowValues(row, options)) if (OWN.includes(key)) fields[key] = value;
    for (const key of row.removed) delete fields[key];
    const status = row.texts.get('approvalStatus.name');
    const kept = row.removed.has('approvalStatus.name') ? null : relation.approvalStatus;
    const approvalStatus = status === undefined ? kept : surroundings.resolve('approvalStatus.name', status);
    return { ...relation, approvalStatus, fields };
  }
}

/** Whether a key names a field of the supplier item that is not part of its key. */
const isOwn = (key: string): boolean =>
  key.startsWith(OF_SUPPLIER_ITEM) && key !== 'supplierItem.guid' && key !== 'supplierItem.number';

function existing(relation: SourcingRecord | undefined, item: ItemName, { texts }: ImportRow): SourcingRecord {
  if (relation) return relation;
  const source = texts.get('supplierItem.number') ?? texts.get('supplierItem.guid') ?? '';
  throw new ServiceError({ code: 3012, message: `"${source}" is no source of the item "${item.number}".` });
}
