/** Identifies a server by the report of its controller or of its bare metal service. Pure. */

/** The identifiers of a server in the form for comparison; absent if not reported. */
export interface Identity {
  serial?: string;
  uuid?: string;
  /** Its record at a service; compared only when no other identifier is known. */
  record?: string;
}

/** The identifiers as reported. */
export type ToldIdentity = { readonly [Name in keyof Identity]?: string | null | undefined };

/** Serial numbers that firmware reports when nobody has entered one. */
const placeholders: readonly RegExp[] = [
  /^to be (filled|defined|determined)/i,
  /^not ?(specified|available|applicable|present|provided|set|settable)$/i,
  /^(unspecified|undefined|unknown|unset|invalid|none|null|empty|n\/?a|o\.?e\.?m\.?|tb[ad])$/i,
  /^default( ?(string|value))?$/i,
  // The name of this field, or of a neighbouring one.
  /^((system|chassis|base ?board|cpld|product) ?)?(serial ?(number|no\.?)?|s\/?n)$/i,
  /^(service ?tag|asset ?tag|system product name)$/i,
  /^0*123456(7|78|789.*)?$/,
  /^0+1$/,
  // Repeated zeros, F, dots and the like, with or without dashes.
  /^(.)(\1|-)*$/,
];
/** UUIDs that boards ship with before anybody has set one. */
const unset: ReadonlySet<string> = new Set([
  "03000200040005000006000700080009",
  "00020003000400050006000700080009",
  "000102030405060708090a0b0c0d0e0f",
  "030201000504070608090a0b0c0d0e0f",
  "123456781234567890abcddeefaabbcc",
]);

/**
 * A serial number in the form for comparison: without padding, in one case; undefined if none was entered.
 */
export function serialIn(told: string | null | undefined): string | undefined {
  // Some firmware pads with NUL, or with spaces within.
  const serial = (told ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim();
  // `(none)` and `<Not Available>` are placeholders too.
  const words = serial.replace(/^[(<["']+|[)>\]"']+$/g, "").trim();
  return words === "" || placeholders.some((each) => each.test(words))
    ? undefined
    : serial.toUpperCase();
}

function uuidIn(told: string | null | undefined): string | undefined {
  const digits = (told ?? "").toLowerCase().replace(/[^0-9a-f]/g, "");
  if (digits.length !== 32 || /^(.)\1*$/.test(digits) || unset.has(digits)) return undefined;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The identifiers of a server, without placeholders. */
export function identityIn({ serial, uuid, record }: ToldIdentity): Identity {
  const [known, universal] = [serialIn(serial), uuidIn(uuid)];
  return {
    ...(known !== undefined && { serial: known }),
    ...(universal !== undefined && { uuid: universal }),
    ...(record && { record }),
  };
}

/** Whether two identities are of one server; undefined if they have no identifier in common. */
export function isSameServer(known: Identity, seen: Identity): boolean | undefined {
  const serials = known.serial && seen.serial ? [known.serial === seen.serial] : [];
  const uuids = known.uuid && seen.uuid ? [isSameUuid(known.uuid, seen.uuid)] : [];
  const hardware = [...serials, ...uuids];
  if (hardware.length > 0) return hardware.every(Boolean);
  if (known.record && seen.record) return known.record === seen.record;
  return undefined;
}

/**
 * Controllers report the first three groups of a UUID in either byte order, and may change it with an update.
 */
const isSameUuid = (one: string, other: string): boolean => one === other || swapped(one) === other;

const swapped = (uuid: string): string =>
  uuid.replace(/^(..)(..)(..)(..)-(..)(..)-(..)(..)/, "$4$3$2$1-$6$5-$8$7");

/** The reported identifiers, each in one form for all spellings. */
export const namesTold = ({ serial, uuid, record }: Identity): [keyof Identity, string][] =>
  [
    ...(uuid === undefined ? [] : [["uuid", [uuid, swapped(uuid)].toSorted()[0] ?? uuid] as const]),
    ...(serial === undefined ? [] : [["serial", serial] as const]),
    ...(record === undefined ? [] : [["record", record] as const]),
  ].map(([sort, name]) => [sort, name]);

export const isNameless = (identity: Identity): boolean =>
  identity.serial === undefined && identity.uuid === undefined && identity.record === undefined;

/** An identity in words. */
export function identityNamesOf({ serial, uuid, record }: Identity): string {
  const names = [
    serial && `serial number ${serial}`,
    uuid && `UUID ${uuid}`,
    !serial && !uuid && record && `record ${record}`,
  ];
  return names.filter(Boolean).join(", ") || "no serial number and no UUID";
}
