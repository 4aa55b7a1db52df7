import type { Role } from './meanings.js';

/** What stands before a word for quantities, the words, and what stands behind one: a unit, or that it is needed. */
const QUANTITY_OF =
  '(?:total|overall|bom|order|component|comp|komp|material|req|required|requirement|usage|item|line|new|neue|nouvelle|nueva|nowa|nieuwe|nuova) |(?:komponenten|einsatz|bedarfs|positions|stucklisten|einbau|verbrauchs|soll) ?';
const QUANTITY =
  'qty|q ty|qnty|qnt|quan|кол(?: ?во)?|количество|кількість|шт|数量|員数|个数|個数|用量|quantity|quantities|quant|count|amount|pieces|pcs|menge|anzahl|anz|stuck|stuckzahl|stuckz|stk|quantite|qte|qtde?|nb|nbre|cantidad|cant|cdad|piezas|ilosc|liczba|liczba sztuk|szt|aantal|stuks|hoeveelheid|quantita|qta|q ta|pezzi|pz|adet|miktar|antall?|mnozstvi|pocet(?: (?:ks|kusu))?|ks|mennyiseg|darab(?:szam)?|db|cantitate|buc|maara|kpl|lkm|jumlah|수량|개수';
const QUANTITY_END =
  'per|new|neu|req|reqd|req d|required|needed|benotigt|erforderlich|necessaire|requise|unitaire|necesaria|requerida|wymagana|benodigd|necessaria|richiesta|[kbv]?me|ml|cun|bun|un|uom|u|ea|each|pcs?|pieces?|units?|st|stk|stck|stuck|szt|шт|pz|uds?|kg|g|mm?|l';
const QUANTITY_OTHERWISE =
  '(?:no |num |number )?(?:required|needed|req d|reqd)|(?:no|num|number) req|how many|quantidade|benotigt|(?:num|number) used|(?:no|num|number) (?:off|of (?:pieces|parts|pcs|items|components|units))|(?:(?:no|num|number) )?per (?:assy|assembly|board|pcb|unit|product|parent|system|device|kit|robot|machine)|qpa|anzahl (?:teile|bauteile|stuck)|(?:nb|nbre|nombre) (?:de |d )?(?:pieces|composants|articles|unites)|(?:n|no|num|numero)(?: de)? (?:piezas|unidades)|(?:ilosc|liczba) (?:sztuk|elementow|czesci)|aantal (?:stuks|onderdelen)|(?:n|no|nr|numero)(?: di)? (?:pezzi|parti)';

/** Shops, in headers of their numbers. */
const SHOP =
  'mouser|digi ?key|dk(?: ?pn)?|(?:oc )?(?:farnell|newark)|element ?14|arrow|avnet|tme|future|rutronik|conrad|reichelt|distrelec|buerklin|(?:sz)?lcsc(?: no)?|jlc(?:pcb)?(?: lcsc)?|rs(?: components)?|mc ?master(?: carr)?|misumi|asin|adafruit|spark ?fun|pololu|jameco';

/** A shop and one of its numbers in a cell, with a space between them. */
export const SHOP_AND_NUMBER = new RegExp(`^(?:${SHOP}) \\S*\\d\\S*$`, 'i');

/**
 * Names of columns in part lists, in English, German, French, Spanish, Polish, Dutch and Italian, and the usual ones in Russian, Japanese and Chinese: lower case, without
 * accents, words of letters and digits separated by a space, `#` as `no`. The first match counts, so that the number of
 * a manufacturer wins over a plain number.
 */
const NAMES: readonly (readonly [Role, RegExp])[] = [
  [
    'substitute',
    /^(?:(bom )?(alt|alternate|alternative|substitute|subst|replacement|equivalent)s?( (part|item|component|material)s?)?( (no|nr|num|number|p ?n|id|code)s?)?( ?[1-9])?|(part|item) (alternate|alternative|substitute)s?|alternativ(en|teile?|typen?|artikel|bauteile?)( ?(nummern?|nr))?|ersatz(typ|artikel|bauteile?)( ?(nummer|nr))?|substituts?|(article|piece|reference|composant) (alternati(f|ve)|equivalente?|de remplacement)|(pieza|parte|articulo|componente)s? (alternativ[oa]|equivalente)s?|alternativ[oai]|alternativ[oa]s|sustitut[oa]s?|equivalent(es|i)|zamiennik(i|ow)?|(alternatief|vervangend) (onderdeel|artikel)|alternatie(f|ven)|sostitut[oi])$/,
  ],
  [
    'level',
    /^(?:((structure|explosion|assembly|bom|indent|indented|indentation|hierarchy|tree|product|component|item|part|build) )?(level|lvl)( (no|nr|num|number))?|indent|indentation|depth|(struktur|auflosungs|baugruppen|stucklisten|hierarchie|bau)?(ebene|stufe)|niveau( (de )?(structure|nomenclature|eclatement))?|nivel( de)?( (la )?(estructura|lista|explosion))?|poziom( (struktury|zlozenia))?|(structuur|stuklijst)?niveau|livello( (di )?(struttura|distinta|esplosione))?)$/,
  ],
  [
    'parent',
    /^(?:parent|parent item|parent part|(parent|assembly|parent item|parent part|top assembly) (no|nr|num|number|id|p n)|assembly|assembly item( (no|nr|num|number))?|top assembly|used in|where used|baugruppe|baugruppennummer|ubergeordnete[rs]?( artikel| teil| nummer)?|ensemble|article parent|reference parent|conjunto|padre|articulo padre|zespol|zespol nadrzedny|element nadrzedny|samenstelling|bovenliggend( artikel| nummer)?|assieme|codice padre)$/,
  ],
  [
    'refDes',
    /^(?:(part |component )?(ref|reference) ?des(ignators?)?s?|(part |component )?(reference )?designators?|references?|refs?|circuit reference|location|bauteilbezeichner|bauteilbezeichnung|betriebsmittelkennzeichen( vollstandig)?|bmk|referenz(en|bezeichner)?|bezeichner|einbauplatz|reperes?|repere topo(logique)?|referencias?|designador(es)?|identificador(es)?|schematic( part)? (names?|refs?|references?|designators?|ids?)|oznaczeni[ae]|desygnator(y|ow)?|referenties?|componentaanduiding(en)?|riferiment[oi]|rif|designator[ei]|部品記号|リファレンス|位号|回路記号|実装位置|(?:поз(?:иционное)? )?обозначение|метка|(?:drawing|circuit|component|part) (?:ref|reference)s?|元件位号|位置号|标号|焊盘|参照|oznaceni|referens|(?:позиційне )?позначення)$/,
  ],
  [
    'mpn',
    /^(?:mpn? ?1?|mf ?pn|(manufacturer|manufacture|manufacturing|mfg|mfgr|mfr|manf|mnf|mf|maker|oem)s? ?(part|item|product|article|catalog|p|pn|no|nr|num|number|code|id)\b.*|typ (?:bestell|artikel) ?(?:nummer|nr|no)|typ(?:en)? ?(?:nummer|nr)|herst(eller)? ?(teile?|artikel|art|bestell|produkt)?( ?nummer| ?nr| ?code| ?id)|(reference|ref|code|numero)( (de )?(la )?piece)? (du )?fabricant|(referencia|ref|codigo|numero|n)( de (pieza|parte))?( del)? fabricante|(numer|kod|nr|symbol)( (czesci|katalogowy))? producenta|(numer|nr) katalogowy|(artikel|onderdeel)?(nummer|code) fabrikant|fabrikant (artikel|onderdeel)?(nummer|code)|codice( del)? produttore|(codice|numero)( parte)? (produttore|costruttore)|型番|型式|メーカー型[番式]|メーカー品番|(?:制造商|厂商|厂家|生产厂家)(?:型号|料号|编号)|型号)$/,
  ],
  [
    'supplierPartNumber',
    new RegExp(
      `^(?:(?:(?:supplier|vendor|distributor|seller|source|shop|store|retailer|catalog|catalogue|order|ordering|dist|${SHOP}) ?1? ?(?:part|item|product|order|stock(?= (?:no|nr|num|number|code|id))|p|pn|no|nr|num|number|sku|code)\\b.*|(?:${SHOP}))|spn|lieferanten ?(artikel|teile?)?( ?nummer| ?nr)|best(?:ell?)? ?(nummer|nr)|(?:秋月)?通販コード|(reference|ref|code) (du )?fournisseur|(referencia|ref|codigo)( del)? proveedor|(numer|kod|nr)( czesci)? dostawcy|(artikel|onderdeel)?(nummer|code) leverancier|leverancier (artikel)?(nummer|code)|art(?:ikel)? ?(?:nummer|nr|code) leverancier|(?:cod|codice)(?: art(?:icolo)?)?(?: del)? fornitore)$`,
    ),
  ],
  [
    'manufacturer',
    /^(?:(?:(?:part|item|component) )?(manufacturer|mfg|mfgr|mfr|manf|mnf|mf|maker|make|brand|hersteller|fabricant|fabricante|producent|fabrikant|produttore|costruttore|marque|marca|marka|merk)( ?name)? ?1?|(製造)?メーカー?名?|制造商|厂商|厂家|生产厂家|品牌|производитель|виробник|uretici|tillverkare|produsent|vyrobce|gyarto|producator|valmistaja|제조사|메이커)$/,
  ],
  [
    'supplier',
    /^(?:bezugsquelle|handler|laden|webshop|geschaft|spr|(?:naam|name|nom|nombre|nome|nazwa) (?:leverancier|fournisseur|proveedor|fornitore|dostawcy)|(supplier|vendor|vendor supplier|supplier vendor|distribut[eo]r|seller|source|shop|store|retailer|reseller|bought (?:from|at)|purchased? (?:from|at)|catalog|lieferant|distributeur|fournisseur|proveedor|distribuidor|dostawca|dystrybutor|leverancier|fornitore|distributore)( ?name| pref\w*)? ?1?|vid|tedarikci|satici|magaza|leverantor|leverand[oø]r|dodavatel|szallito|furnizor|toimittaja|fornecedor|loja|tienda|magasin|sklep|negozio|поставщик|постачальник|магазин|供应商|店铺|购买渠道|購入先|仕入先|販売店|공급사|구매처)$/,
  ],
  [
    'quantity',
    new RegExp(
      `^(?!(?:item|line|new|material) amount)(?:(?:${QUANTITY_OF})?(?:${QUANTITY})(?: ?(?:per|pro|par|por|na|x|je) ?\\w+| (?:${QUANTITY_END}))?|${QUANTITY_OTHERWISE})$`,
    ),
  ],
  [
    'placement',
    /^(?:(mid|center|centre|pos|ref|pad|location) ?[xyz]( mm| mil| in)?|[xyz] ?(pos|position|coord|coordinate|center|mm|mil)( mm| mil| in)?|rotation|rot|angle|orientation|(placement )?(side|layer)|tb|top bottom|drehung|winkel|seite|rotacion|obrot|rotatie|rotazione)$/,
  ],
  [
    'lifecycle',
    /^(?:(life ?cycle|release|design)( (phase|status|state|stage))?|lebenszyklus(phase)?|cycle de vie|ciclo de vida|cykl zycia|levenscyclus|ciclo di vita)$/,
  ],
  [
    'revision',
    /^(?:(item |part |current )?(rev|revision|version|ver|issue)( (no|nr|num|number|level|letter))?|ausgabe|indice|wersja|rewizja|versie|revisie|revisione)$/,
  ],
  [
    'lineNumber',
    /^(?:line|find|(line|find|item|row|pos|position|seq|sequence) (no|nr|num|number)|(?:mtl|material|bom|component) seq(?:uence)?|no|nr|num|item|items|position|pos|id|index|idx|row|seq|lfd nr|laufende nummer|zeile|ligne|rep|poste|linea|posicion|partida|lp|l p|pozycja|poz|regel|volgnummer|riga|posizione|component|sira|sira no|n ?o?(?:umero)? (?:de |do |del )?(?:item|elemento|posicion|articolo)|nr pozycji|cislo polozky|поз|no п п|项目号|アイテム番号|poradi|sorszam|nr crt|序号|番号|번호)$/,
  ],
  [
    'number',
    /^(?:komponenten?( ?nummer| ?nr)?|child( (item|part|component|material))?|untergeordnete[rs]? (artikel|teil)|(article|composant) (enfant|fils)|(articulo|codigo) hijo|codice figlio|(\w+ )?(part|item|article|material|product|component|stock) ?(no|nr|num|number|id|code)|number|nummer|part|teil|p no|(\w+ )?p ?n|[ci]pn|sku|(artikel|art|material|mat|teile|sach|ident|produkt|bauteil) ?(nummer|nr|code)|teilenr|(numero|code|reference|ref|n|no)( de?)? ?(article|piece|composant|produit)|(numero|codigo|referencia|n|no)( de(l)?)? ?(articulo|pieza|parte|componente|producto|material)|codigo|(numer|nr|kod|indeks|symbol) (czesci|artykulu|elementu|materialu|katalogowy|produktu)|indeks|(onderdeel|artikel) ?(nummer|code|nr)|(codice|numero)( (articolo|parte|componente|prodotto|materiale))?|品番|部品番号|部品コード|料号|物料编码|图号|図番|артикул|internal reference|default code|(?:reference|referencia|riferimento|referenz) intern[eoa]|interne referenz|varen(?:umme)?r|n ?o? (?:da |de )?(?:peca|pieza)|num parte|stuknummer|parca no|tuotekoodi|零件号|cislo dilu|cikkszam|cod produs|tuotenumero|품번|부품번호|자재코드|物料编号|编号)$/,
  ],
  [
    'uom',
    /^(?:((base|basic|component|comp|qty|quantity) )?(uom|uo m|u o m|u m|unit|units? of measure(ment)?)( ?code)?|units|un|bun|cun|measure unit|(basis|komponenten)?(mengen)?einheit|me|unite|unite de mesure|unidad(es)?|unid|ud|uds|unidad de medida|jednostka|jednostka miary|jm|j m|eenheid|unita|unita di misura|um|単位|单位|ед(?: изм)?)$/,
  ],
  [
    'cost',
    /^(?:(?:(?:unit|standard|std|item|each|real|actual|approx|estimated|est|net|gross|list|avg|average) ?)?(?:cost|price)(?: (?:per|each|ea|1|item|unit|part|piece|pc|pcs|usd|eur|gbp|cny|rmb|jpy|chf|sek|nok|dkk|pln|czk|huf|ron|try|tl|rub|inr|krw|brl|aud|cad|currency|euros?|dollars?))*|(einzel|stuck)?(preis|kosten)( netto)?|ep( netto)?|prix( (unitaire|unit|uni|u|achat))?( (ht|ttc))?|p ?u( (ht|ttc))?|cout( unitaire)?|(precio|coste|costo)( unitario)?|(cena|koszt)( jedn(ostkow[ay])?| za szt(uke)?)?|custo( unitario)?|ціна|価格|値段|(stuks?|eenheids|kost)?prijs|(prezzo|costo)( unitario)?|(?:参考|標準|税込|税抜|含税)?(?:単価|价格|単價|单价)(?: (?:円|元|rmb|cny))?|цена|fiyat|birim fiyati?|pris|sty[ck]kpris|egysegar|pret|hinta|preco(?: unitario)?|valor unitario|단가)$/,
  ],
  [
    'description',
    /^(?:(no )?((item|part|product|component|comp|material|article|object|short|long|bom|line) )*(description|desc|descr)( 1| en| english)?|details?|info|nomenclature|(artikel|teile|material|komponenten)?beschreibung|(objekt|material|artikel|komponenten|positions)?(kurz|lang)text|spezifikation(en)?|specifications?|(descriptif|description)( (de l |du |d )?(article|composant|piece))?|descripcion( del?)?( (articulo|material|componente|producto|la pieza|pieza))?|opis( (materialu|czesci|elementu|artykulu))?|(artikel|onderdeel|materiaal)?(omschrijving|beschrijving)|descrizione( (del )?(articolo|materiale|componente|prodotto))?|描述|説明|说明|описание|aciklama|ozellik(?:ler)?|beskrivning|beskrivelse|popis|specs?|规格型号|leiras|descriere|kuvaus|descricao|especificac(?:ao|iones?)|caracteristicas?|규격|사양|설명|规格|仕様)$/,
  ],
  [
    'name',
    /^(?:((item|part|component|comp|cmp|product)s? )?name|product|title|(artikel|teile|material|komponenten|objekt|bauteil)?(benennung|bezeichnung)( 1)?|titel|titre|nom|(designation|libelle)( (de l |du |de la )?(article|composant|piece|produit))?|nombre|producto|denominacion( (del )?(articulo|material|componente|producto))?|titulo|artikel|article|komponent|was|bauteil|bauelement|onderdeel|soucast(ka)?|alkatresz|komponentti|componenta|назва|componente|nazwa( czesci| elementu| materialu| artykulu)?|(artikel)?naam|benaming|nome|denominazione( (articolo|materiale|componente))?|titolo|品名|部品名|部品名称|商品名|名称|物料名称|元件名称|器件名称|产品名称|器件型号|元件型号|元器件|元件|器件|наименование|название|имя|parca(?: adi)?|urun(?: adi)?|malzeme(?: adi)?|benamning|artikelnamn|betegnelse|(?:vare)?navn|nazev|megnevezes|nev|denumire|nimi|nimike|componentes|pecas?|품명|부품명|명칭|部件|零件|零件名称|材料名称|компонент|деталь|изделие)$/,
  ],
  [
    'value',
    /^(?:value|val|номинал|номінал|значение|定数|hodnota|varde|ertek|deger|valoare|wert|valeur|valor|wartosc|waarde|valore)$/,
  ],
  [
    'package',
    /^(?:package|package id|package type|(?:pcb )?footprint|pattern|land pattern|outline|pkg|case|gehause|bauform|boitier|empreinte|encapsulado|huella|obudowa|behuizing|contenitore|impronta|封装|フットプリント|パッケージ|корпус|encapsulamento|pouzdro|kapsel|kilif|capsula)$/,
  ],
  [
    'category',
    /^(?:category|item category|type|part type|kategorie|warengruppe|categorie|categoria|kategoria|typ|tipo|class|group|gruppe|groupe|grupo|grupa|groep|gruppo)$/,
  ],
  [
    'unfitted',
    /^(?:(is )?dn[pifmsu]|d n [pifmsu]|n ?i|n ?f|(do not|not|no) (populate|populated|place|placed|fit|fitted|install|installed|mount|mounted|stuff|assemble|assembled)|no ?(pop|fit|stuff)|unpopulated|unfitted|exclude(d)? from bom|(nicht|un) ?(best(u|ue)ck(en|t)|montier(en|t))|no (montar|montado|colocar|poner)|(ne pas (monter|placer|cabler)|non (monte|place|cable|implante)e?s?)|nie (montowac|montowan[ey]|obsadzac)|niet (plaatsen|monteren|geplaatst|gemonteerd|bestukt)|non (montare|montat[oi]|popolat[oi]))$/,
  ],
  [
    'fitted',
    /^(?:(to be )?(fit|fitted|populate|populated|mount|mounted|placed|assemble|assembled|stuff|stuffed|install|installed)|best(u|ue)ck(t|ung|en)|montiert|monte|montado|montar|monter|montowac|montare|(in|included? in) bom|bom( included?)?)( (y|yes|j|ja|o|oui|s|si|t) (n|no|nein|non|nie))?$/,
  ],
  [
    'notes',
    /^(?:notes?|remarks?|comments?|bemerkung(en)?|anmerkung(en)?|kommentar|hinweise?|remarques?|commentaires?|notas?|observacion(es)?|comentarios?|uwagi|uwaga|komentarz|notatki|opmerking(en)?|notities|note|commenti|osservazioni|備考|备注|примечани[ея]|примітк[аи]|notlar?|anmarkning|bem[aæ]rkning(?:er)?|merknad|poznamka|megjegyzes|observatii|obs|observac(?:ao|oes)|huomautus|비고)$/,
  ],
];

/** The header of a column that has none: its letter. */
export const HEADLESS = /^[A-Z]{1,2}$/;

/** Writes a header like the names above: `PartNumber` and `Part-Number` become `part number`. */
export function bareHeader(header: string): string {
  const plural = header.replaceAll(/\((e?s)\)/gi, '$1');
  const isAscii = /^[\x20-\x7e]*$/.test(plural);
  return (isAscii ? plural.replaceAll(/(?<=[a-z]\d?)(?=[A-Z])/g, ' ') : inLatin(plural))
    .toLowerCase()
    .replaceAll('#', ' no ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const inLatin = (header: string): string =>
  header
    .replaceAll('ß', 'ss')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll('ı', 'i')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replaceAll(/(?![\u3099\u309a])\p{M}/gu, '')
    .normalize('NFC');

/** Whether a column says what a part must be. */
export const isOfDemands = (header: string): boolean =>
  /^(?:spezifikation|specification|especificac|spec)/.test(bareHeader(header));

/** Of several sources in a row, the first, as "Manufacturer 1 Part Number" is. */
const FIRST = /^(?:(?:approved )?(?:source|avl|aml|option|choice) 1|1st|first|primary|preferred) /;
/** "Make" alone is a manufacturer. */
const NO_ROLE =
  /^(?:(?:make (?:or )?(?:buy|purchase)|buy (?:or )?make)\b|(?:vendor|supplier|seller|fornitor|fournisseur|lieferant|proveedor)\w* (?:min\w* )?(?:qty|quantity|menge|quantite|cantidad|quantita)\b)/;

/** A price with its currency is a price in any language. */
const withoutCurrency = (bare: string): string =>
  bare.replace(
    / (?:eur|usd|gbp|cny|rmb|jpy|chf|sek|nok|dkk|pln|zl|czk|kc|huf|ft|ron|lei|try|tl|rub|inr|krw|brl|aud|cad|nzd|sgd|hkd|twd|cop|mxn|clp|ars)$/,
    '',
  );

/** Finds the role of a column by its header, or by a part of it before or after a slash or an "or". */
export function roleNamed(header: string): Role | undefined {
  if (NO_ROLE.test(bareHeader(header))) return undefined;
  for (const part of new Set([header, ...header.split(/\/|(?<![\p{L}\p{N}])or(?![\p{L}\p{N}])/iu)])) {
    const bare = bareHeader(part)
      .replace(FIRST, '')
      .replace(/^(\p{L}+) ?1 /u, '$1 ');
    const [role] = NAMES.find(([name, pattern]) => pattern.test(name === 'cost' ? withoutCurrency(bare) : bare)) ?? [];
    // A preferred part is one that somebody sells.
    if (role !== undefined && !(role === 'number' && FIRST.test(bareHeader(part)))) return role;
  }
  return undefined;
}
