import { isMac, isOfOneNic } from "../../mac.ts";

/**
 * The inventory port reads a provider's servers, their places and their cables. People write the inventory;
 * Slipway only reads it.
 */
export interface Inventory {
  /**
   * Reads servers page by page: all of them without a cursor, or from a page's cursor on, in any process.
   * After the last page a cursor reads the changes since: each changed server, complete and at least once,
   * and the ids of those that are gone. An inventory that cannot tell which servers a change concerns reads
   * all again.
   */
  read(cursor?: InventoryCursor): AsyncIterable<InventoryPage>;
  /**
   * Missing requirements of an import, for people to read. Throws when the inventory does not
   * answer.
   */
  lacks(): Promise<string[] | undefined>;
}

/** A position in a reading, in the adapter's own format; callers store it and pass it back. */
export type InventoryCursor = string & { readonly brand: "InventoryCursor" };

export interface InventoryPage {
  servers: InventoryServer[];
  /** Ids of servers that have left the inventory; only in pages of changes. */
  gone: string[];
  /** Whether the page belongs to a reading of all servers: a server in none of its pages is gone. */
  isOfAll: boolean;
  isLast: boolean;
  /** Continues after this page; after the last one, with the changes since the reading began. */
  cursor: InventoryCursor;
}

export interface InventoryServer {
  /** The inventory's own id; it stays when the server is renamed. */
  id: string;
  /** Empty for a server without a name. */
  name: string;
  serial: string;
  site: string;
  rack?: string;
  role: string;
  status: string;
  /** The model, such as PowerEdge R760. */
  deviceType: string;
  tags: string[];
  /** The controller's address, without a prefix length. */
  outOfBand?: string;
  interfaces: InventoryInterface[];
}

export interface InventoryInterface {
  name: string;
  /** Whether the interface is virtual or made of other interfaces: a bridge, a bond, a VLAN. */
  isVirtual: boolean;
  /** Whether it is only for managing the server, such as its controller's. */
  isManagement: boolean;
  /** In lower case with colons; may be an invalid address, such as zeros. */
  mac?: string;
  link: Link;
}

/** The other end of an interface's cable, through all patch panels. */
export type Link =
  | { state: "connected"; switch: string; port: string }
  /** The path is known, but a part of it is not in use, such as a planned cable. */
  | { state: "inactive"; switch: string; port: string }
  /** The path ends where nothing continues; `at` is the last known place. */
  | { state: "open"; at: string }
  /** The path leads to several ports, or to something other than a device's port. */
  | { state: "unclear"; to: string }
  | { state: "uncabled" };

/**
 * The reason why an interface cannot be a host's NIC, for people to read; undefined if it can.
 * Management interfaces cannot.
 */
export function unusable({
  isVirtual,
  isManagement,
  mac,
  link,
}: InventoryInterface): string | undefined {
  if (isVirtual) return "it is not a physical interface";
  if (isManagement) return "it is for management alone";
  if (mac === undefined) return "it has no MAC address";
  if (!isMac(mac) || !isOfOneNic(mac)) return `its MAC address ${mac} is not that of one NIC`;
  switch (link.state) {
    case "connected":
      return undefined;
    case "uncabled":
      return "it has no cable";
    case "inactive":
      return `the way to ${link.switch}, ${link.port} is not in use yet`;
    case "open":
      return `its cable ends at ${link.at}, and leads no further`;
    case "unclear":
      return `its cable leads to ${link.to}, which is not one port of a switch`;
  }
}
