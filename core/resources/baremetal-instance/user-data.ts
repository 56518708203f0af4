import { gunzipSync } from "node:zlib";

/** What tenants give their servers for cloud-init, as it is served, and as cloud-init takes it. Pure. */

/** What may come of packed user data: more than fits into a request, and no bomb. */
const unpackedLimit = 1_048_576;

/** gzip in base64, as Terraform and others write it: cloud-init unpacks gzip, but not base64. */
const isPacked = (text: string): boolean => text.startsWith("H4sI");

/** A mark at the beginning by which Windows tells UTF-8, and before which cloud-init sees no header. */
const unmarked = (text: string): string => text.replace(/^\uFEFF/, "");

/** User data as a server is served it: without a byte order mark, and unpacked; undefined for what cannot be unpacked. */
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

/** The beginnings by which cloud-init knows what it is given, in any case and after white space. */
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

/** Where the headers are looked for. A byte order mark is white space to JavaScript, and not to Python. */
const startOf = (text: string): string =>
  text
    .replace(/^[^\S\uFEFF]+/, "")
    .slice(0, headerRoom)
    .toLowerCase();

const isForCloudInit = (text: string): boolean =>
  isMime(text) || headers.some((header) => startOf(text).startsWith(header));

/** Whether cloud-init reads all of a text as a mapping, and ignores what is none. */
const isCloudConfig = (text: string): boolean =>
  !isMime(text) && /^#cloud-config(?!-archive|-jsonp)/.test(startOf(text));

/** The reader of YAML is large, and few orders need it. */
const mappingFaultIn = async (text: string) =>
  (await import("../../kernel/input/yaml.ts")).mappingFault(text);

/**
 * Why user data is of no use; undefined for what is. `isAlone`: nothing else lets anybody log in, and the system is one
 * with cloud-init. Whoever has a key may have another reader than cloud-init in the image.
 */
export async function userDataFault(given: string, isAlone: boolean): Promise<string | undefined> {
  const text = servedUserData(given);
  if (text === undefined)
    return `is gzip in base64 that cannot be unpacked, or has more than ${unpackedLimit} bytes then`;
  if (!isAlone) return undefined;
  const unread = isCloudConfig(text) ? await mappingFaultIn(text) : undefined;
  if (unread)
    return `is no cloud-config: line ${unread.line}: ${unread.message}, so cloud-init would ignore it and no user could log in; fix it, or give ssh_public_key too`;
  if (isForCloudInit(text)) return undefined;
  return `begins with none of ${headers.map((header) => `'${header}'`).join(", ")} and is no MIME message with MIME-Version, so cloud-init would ignore it and no user could log in; give it such a first line, or give ssh_public_key too`;
}
