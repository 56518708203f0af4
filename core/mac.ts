/** MAC addresses. Everywhere in Slipway they are in lower case, with colons. */

const form = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/;

/** Reads a MAC address in either case, with colons or dashes; undefined for any other text. */
export function macIn(text: string): string | undefined {
  const mac = text.trim().toLowerCase().replaceAll("-", ":");
  return form.test(mac) ? mac : undefined;
}

/** Whether the text is a MAC address in Slipway's form. */
export const isMac = (text: string): boolean => form.test(text);

/**
 * Whether a MAC address can be that of one NIC. Drivers and firmware report zeros for an address that they do not
 * know; an address with the group bit, such as broadcast, means many.
 */
export const isOfOneNic = (mac: string): boolean =>
  mac !== "00:00:00:00:00:00" && (Number.parseInt(mac.slice(0, 2), 16) & 1) === 0;

/** The address of one NIC in the text of a report or of another system; undefined for any other text. */
export function nicMacIn(text: string): string | undefined {
  const mac = macIn(text);
  return mac !== undefined && isOfOneNic(mac) ? mac : undefined;
}
