/** Abbreviations as words of their own, and what they stand for. "NI" and "NC" are more often something else. */
const UNFITTED =
  /(?:^|[\s/,;([])(?:dn[pifmsu]|no[\s-]?(?:pop|stuff|fit)|(?:do[\s-]?not|not|no se) (?:to be )?(?:populated?|placed?|fit|fitted|installe?d?|mounte?d?|stuff(?:ed)?|solder(?:ed)?|assembled?)|unpopulated|unfitted|omitted|entf(?:ä|ae)llt|excluded? from bom|not a part|(?:nicht|un) ?best(?:ü|ue)ck(?:en|t)|no montar|ne pas (?:monter|placer)|non mont[ée]e?s?|nie montować|niet (?:plaatsen|monteren)|non montare)(?:$|[\s/,;)\]])|(?<!\b(?:no|com|c))\/n\.?[fc]\.?$|^n\.\s?b\.$|不贴|空贴|未贴|不插|不焊|不装|不安装|不上件|未実装|実装(?:しない|不要|なし)/i;
/** A value joined to such an abbreviation, where it is a part of no number: "0R-DNP", "10k_DNP", "DNP-0R". */
const JOINED = /^\d[\w.,µμΩ%]{0,9}[-_]dn[pifmsu]$|^dn[pifmsu][-_]\d[\w.,µμΩ%]{0,9}$/i;
/** "NC" behind a resistance, a capacitance or the like: behind a voltage it may be a contact that is normally closed. */
const VALUE_NC = /^\d+(?:[.,]\d+)?\s?(?:r|k|m|[pnuµμ](?:f|h)?|Ω|ohms?)\d*[\s_-]+n\.?c\.?$/i;

/** Whether a text says that a part is not fitted. */
export const isUnfittedText = (text: string): boolean =>
  UNFITTED.test(text) || JOINED.test(text) || VALUE_NC.test(text);
