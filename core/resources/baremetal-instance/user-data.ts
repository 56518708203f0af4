import { gunzipSync } from "node:zlib";

/** Checks the tenants' user data for cloud-init, and converts it to the form that is served. Pure. */

/**
 * The limit for unpacked user data: larger than a request can contain, and small enough to stop a decompression
 * bomb.
 */
const unpackedLimit = 1_048_576;

/** Terraform and others send gzip in base64. cloud-init unpacks gzip, but not base64. */
const isPacked = (text: string): boolean => text.startsWith("H4sI");

/** Windows puts a byte order mark before UTF-8; cloud-init does not recognize a header after it. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, "");

/**
 * User data in the form that a server gets: unpacked, and without a byte order mark; undefined if it cannot be
 * unpacked.
 */
export function servedUserData(given: string): string | undefined {
  const text = unmarked(given);
  if (!isPacked(text)) return text;
  try {
    const unpacked = gunzipSync(Buffer.from(text, "base64"), { maxOutputLength: unpackedLimit });
    return unmarked(unpacked.toString());
  } catch {
    return undefined;
  }
}

/** The headers by which cloud-init recognizes a format, in upper or lower case and after white space. */
const headers = [
  "#cloud-config",
  "#!",
  "#include",
  "#cloud-boothook",
  "#part-handler",
  "## template: jinja",
] as const;
const mime = /mime-version:/i;
const headerRoom = 4096;

const isMime = (text: string): boolean => mime.test(text.slice(0, headerRoom));

/**
 * The text in which to search for headers. The byte order mark is white space in JavaScript, but not in
 * cloud-init's Python.
 */
const startOf = (text: string): string =>
  text
    .replace(/^[^\S\uFEFF]+/, "")
    .slice(0, headerRoom)
    .toLowerCase();

const isForCloudInit = (text: string): boolean =>
  isMime(text) || headers.some((header) => startOf(text).startsWith(header));

/** Whether cloud-init parses the whole text as YAML, and ignores it if it is not a mapping. */
const isCloudConfig = (text: string): boolean =>
  !isMime(text) && /^#cloud-config(?!-archive|-jsonp)/.test(startOf(text));

/** Loaded on demand, because the YAML parser is large and few orders need it. */
const mappingFaultIn = async (text: string) =>
  (await import("../../kernel/input/yaml.ts")).mappingFault(text);

/**
 * Why user data would have no effect; undefined if it would have one. `isAlone`: it is the only way to log in,
 * and the image has cloud-init. With a key, the image may read user data by another program.
 */
export async function userDataFault(given: string, isAlone: boolean): Promise<string | undefined> {
  const text = servedUserData(given);
  if (text === undefined)
    return `is gzip in base64 that cannot be unpacked, or unpacks to more than ${unpackedLimit} bytes`;
  if (!isAlone) return undefined;
  const unread = isCloudConfig(text) ? await mappingFaultIn(text) : undefined;
  if (unread)
    return `is no cloud-config: line ${unread.line}: ${unread.message}, so cloud-init would ignore it and no user could log in; fix it, or give ssh_public_key too`;
  if (isForCloudInit(text)) return undefined;
  return `begins with none of ${headers.map((header) => `'${header}'`).join(", ")} and is no MIME message with MIME-Version, so cloud-init would ignore it and no user could log in; give it such a first line, or give ssh_public_key too`;
}
