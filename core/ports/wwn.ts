/**
 * Normalizes a World Wide Name. Systems write `0x5000C5…`, `naa.5000c5…` and `eui.…`, with colons between the
 * bytes, or padded with spaces or NUL. Some report it as the serial number of a SAS drive.
 */
export function wwnIn(text: string): string {
  const name = text
    .replace(/^[\s\p{Cc}]+|[\s\p{Cc}]+$/gu, "")
    .toLowerCase()
    .replace(/^(0x|naa\.|eui\.)/, "");
  return /^([0-9a-f]{2}:)+[0-9a-f]{2}$/.test(name) ? name.replaceAll(":", "") : name;
}
