/**
 * A World Wide Name in one form: `0x5000C5…`, `naa.5000c5…` and `eui.…` are written in as many ways as there
 * are systems. The system of a server tells it as the serial number of a SAS drive.
 */
export const wwnIn = (text: string): string => text.toLowerCase().replace(/^(0x|naa\.|eui\.)/, "");
