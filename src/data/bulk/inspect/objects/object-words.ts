/** What the header of a column says in a list of suppliers or of people. */
export type ObjectWord = (typeof WORDS)[number][0];

/**
 * Names of columns in lists of suppliers and of people, written like those of part lists, in the same languages. The
 * first match counts.
 */
const WORDS = [
  [
    'supplierId',
    /^(?:(supplier|vendor|seller) ?(id|no|nr|num|number|code)|(lieferanten?|kreditor(en)?) ?(nr|nummer|id)|(code|numero|no|n|id) (du )?fourn(isseur)?|(codigo|numero|no|n|id) (de(l)? )?proveedor|(numer|nr|kod|id) dostawcy|leveranciers? ?(nummer|nr|code|id)|(codice|numero|id) fornitore)$/,
  ],
  [
    'approvalStatus',
    /^(?:(approval|qualification|supplier|vendor|avl) ?status|status|approval|freigabe ?(status)?|lieferantenstatus|statut( (du )?fournisseur)?|agrement|estado( de aprobacion| del proveedor)?|homologacion|status dostawcy|zatwierdzenie|goedkeuring(sstatus)?|stato( (di )?approvazione| (del )?fornitore)?)$/,
  ],
  [
    'supplier',
    /^(?:(supplier|vendor|distributor|seller)( ?(name|company))?|lieferant(en(name)?)?|kreditor|(nom (du )?)?fournisseur|(nombre (del? )?)?proveedor|dostawca|nazwa dostawcy|leverancier(snaam)?|naam leverancier|(nome )?fornitore)$/,
  ],
  [
    'company',
    /^(?:compan(y|ies)( name)?|firma|firmenname|unternehmen|manufacturer( name)?|hersteller|societe|raison sociale|entreprise|fabricant|empresa|razon social|compania|fabricante|przedsiebiorstwo|nazwa firmy|producent|bedrijf(snaam)?|fabrikant|azienda|ragione sociale|societa|produttore)$/,
  ],
  [
    'accountNumber',
    /^(?:(our )?(account|acct)( ?(no|nr|num|number|id))?|(our )?customer ?(no|nr|num|number|id)|(unsere )?kunden ?(nr|nummer)|(no|numero|n|code) (de )?(client|compte)|(numero|no|n|codigo) (de )?(cliente|cuenta)|(numer|nr) klienta|klant(en)? ?(nummer|nr)|(codice|numero) cliente)$/,
  ],
  [
    'website',
    /^(?:(supplier |company )?(web ?(site|page|address)?|url|home ?page|internet|www)|webseite|site (web|internet)|(sitio|pagina) web|strona( www| internetowa)?|webadres|sito( web)?)$/,
  ],
  ['address1', /^(?:(street )?address ?(line )?1|(adresse|direccion|adres|indirizzo) ?1|line 1)$/],
  [
    'address2',
    /^(?:(street )?address ?(line )?2|street ?2|line 2|(adresse|direccion|adres|indirizzo) ?2|adresszusatz|complement( d)? ?adresse|suite)$/,
  ],
  [
    'addressLabel',
    /^(?:address ?(label|type|name)|site( name)?|branch|plant|office|facility|adress ?(typ|art|name|bezeichnung)|standort|niederlassung|werk|type( d)? ?adresse|etablissement|agence|tipo (de )?direccion|sucursal|planta|typ adresu|oddzial|zaklad|adrestype|vestiging|tipo (di )?indirizzo|sede|stabilimento|filiale)$/,
  ],
  ['location', /^(?:location|locatie|ubicacion|lokalizacja|emplacement)$/],
  [
    'address',
    /^(?:((full|business|company|postal|mailing|supplier) )?address|adresse( postale)?|anschrift|direccion|domicilio|adres|indirizzo)$/,
  ],
  [
    'street',
    /^(?:street( name| address)?|str|strasse|rue|voie|calle|ulica|straat(naam)?|via)( ?(and |und |et |y |i |en |e )?(house ?)?(no|nr|num|number|numero|numer|nummer|hausnummer|huisnummer))?$/,
  ],
  [
    'houseNumber',
    /^(?:no|nr|n|num|number|numero|numer|nummer|house ?(no|nr|number)|haus ?(nr|nummer)|hnr|(numer|nr) domu|huis ?(nr|nummer)|(numero )?civico)$/,
  ],
  [
    'city',
    /^(?:city|town|city town|ort|stadt|ville|localite|commune|ciudad|localidad|poblacion|miasto|miejscowosc|plaats|stad|citta|comune|localita)$/,
  ],
  [
    'postalCode',
    /^(?:zip( ?code)?|zip postal code|postal ?code|post ?code|plz|postleitzahl|code postal|cp|c p|codigo postal|kod pocztowy|cap|codice postale)$/,
  ],
  ['province', /^(?:province|provincia|provincie|provinz)$/],
  ['state', /^(?:(us )?state|state (or )?(province|region)|region|bundesland|wojewodztwo|regione)$/],
  ['country', /^(?:country( ?(region|code|name|key))?|cty|land|staat|pays|pais|kraj|panstwo|paese|nazione)$/],
  [
    'primary',
    /^(?:(is )?(primary|main|default)( address)?|headquarters?|hq|haupt(adresse|sitz)|(adresse )?principale?|siege|direccion principal|glown[ya]|adres glowny|hoofd(adres)?|(indirizzo|sede) principale)$/,
  ],
  [
    'mobile',
    /^(?:mobile( ?(phone|no|nr|number))?|cell( ?(phone|no|number))?|handy( ?(nr|nummer))?|mobil ?(telefon|nummer|nr)?|(tel(ephone)? )?portable|(telefono )?movil|celular|komorka|tel(efon)? kom(orkowy)?|mobiel(e telefoon)?|gsm|(telefono )?cellulare)$/,
  ],
  ['fax', /^(?:(tele)?fax( ?(no|nr|num|number|nummer))?|telecopie(ur)?|(numero|numer|nr|no) (de |di )?(tele)?faxu?)$/],
  [
    'phone',
    /^(?:((office|work|business|company|main|contact|supplier) )?((tele)?phone|tel|telefono?|telefoon|rufnummer|fon)( ?(no|nr|num|number|nummer))?( ?[1-3])?|(numero|numer|nr|no) (de |di )?(telephone|telefono|telefonu))$/,
  ],
  ['extension', /^(?:(phone )?ext(ension)?|durchwahl|dw|nebenstelle|wewnetrzny|toestel|interno)$/],
  [
    'email',
    /^(?:((work|contact|business|supplier) )?e ?mail( ?(address|adresse|adres|id))?|mail( ?(address|adresse|adres))?|courriel|adresse (e ?mail|mail|electronique)|correo( electronico)?|adres e ?mail|posta elettronica|indirizzo e ?mail)$/,
  ],
  [
    'contact',
    /^(?:(sales |main )?contact( (person|name))?|ansprechpartner(in)?|kontakt(person)?|interlocuteur|(persona de )?contacto|osoba kontaktowa|contactpersoon|contatto|referente)$/,
  ],
  ['firstName', /^(?:(first|given|fore) ?name|vorname|prenom|nombre de pila|imie|voornaam)$/],
  [
    'lastName',
    /^(?:(last|sur|family) ?name|(nach|familien|zu)name|nom de famille|apellidos?|nazwisko|achternaam|cognome)$/,
  ],
  [
    'person',
    /^(?:((full |employee |user |member )?name|name 1)|employee|user|person|member|mitarbeiter(in)?|nom( complet)?|nombre( completo)?|imie i nazwisko|nazwa|(volledige )?naam|nome( completo)?|nominativo)$/,
  ],
  [
    'group',
    /^(?:(user ?)?groups?|(benutzer|nutzer)?gruppen?|groupes?|grupos?|grup[ay]|(gebruikers)?groep(en)?|grupp[oi])$/,
  ],
  ['team', /^(?:teams?|equipes?|equipos?|zespol|squadra)$/],
  [
    'department',
    /^(?:departments?|dept|abteilung|departement|service|departamento|dzial|afdeling|reparto|dipartimento)$/,
  ],
  ['role', /^(?:(user )?roles?|rollen?|rol|rola|ruol[oi]|fonction|funcion|funktion)$/],
] as const;

/** Finds the word of a header that was written bare; undefined if it says nothing of these. */
export const objectWord = (bare: string): ObjectWord | undefined =>
  WORDS.find(([, pattern]) => pattern.test(bare))?.[0];

const STATUS_WORDS = [
  [
    'disapproved',
    /^(?:disapproved|(not|un) ?approved|rejected|blocked|gesperrt|abgelehnt|nicht (freigegeben|zugelassen)|refuse|non (approuve|agree)|rechazado|no aprobado|bloqueado|odrzucony|zablokowany|afgekeurd|niet goedgekeurd|respinto|bloccato|non approvato)$/,
  ],
  [
    'approved',
    /^(?:approved|released|qualified|freigegeben|zugelassen|genehmigt|approuve|agree|homologue|aprobado|homologado|zatwierdzony|goedgekeurd|approvato|omologato)$/,
  ],
  [
    'unrated',
    /^(?:unrated|not (yet )?rated|unbewertet|nicht bewertet|non evalue|sin evaluar|no evaluado|nieoceniony|niet beoordeeld|non valutato)$/,
  ],
] as const;

/** The approval that a bare word certainly means. */
export const statusWord = (bare: string): string | undefined =>
  STATUS_WORDS.find(([, pattern]) => pattern.test(bare))?.[0];

const YES = /^(?:true|yes|y|x|1|ja|j|oui|o|si|s|tak|t|✓|✔)$/;
const NO = /^(?:false|no|n|0|-|nein|non|nie|nee)$/;

/** Whether a cell says yes or no; undefined if it says neither. */
export function truthWord(cell: string): boolean | undefined {
  const word = cell.toLowerCase().replaceAll('í', 'i');
  return YES.test(word) ? true : NO.test(word) ? false : undefined;
}
