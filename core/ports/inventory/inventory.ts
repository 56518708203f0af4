import { isMac, isOfOneNic } from "../../mac.ts";

/**
 * The inventory port reads which servers a provider has, where they stand and how they are cabled. The
 * inventory is written by people and read by Slipway; nothing is written to it.
 */
export interface Inventory {
  /**
   * Reads servers by pages. Without a cursor it reads all; with the cursor of a page it continues after that
   * page, in this process or in another. After the last page a cursor reads what has changed since: each
   * server that has, whole and at least once, and those that are gone. An inventory that cannot tell which
   * servers a change concerns reads all again.
   */
  read(cursor?: InventoryCursor): AsyncIterable<InventoryPage>;
  /** What the inventory lacks that an import needs; for people. Throws where it does not answer. */
  lacks(): Promise<string[] | undefined>;
}

/** A place in a reading; an adapter's own text, which is kept and handed back. */
export type InventoryCursor = string & { readonly brand: "InventoryCursor" };

export interface InventoryPage {
  servers: InventoryServer[];
  /** Ids of servers that were in the inventory and are not any more; only in pages of changes. */
  gone: string[];
  /** Whether the page is of a reading of all: a server that none of its pages has is gone. */
  isOfAll: boolean;
  isLast: boolean;
  /** Goes on after this page; after the last one, with what has changed since the reading began. */
  cursor: InventoryCursor;
}

export interface InventoryServer {
  /** The inventory's own id; it stays when the server is renamed. */
  id: string;
  /** Empty for a server that nobody has named. */
  name: string;
  serial: string;
  site: string;
  rack?: string;
  role: string;
  status: string;
  /** The model, such as PowerEdge R760. */
  deviceType: string;
  tags: string[];
  /** Address of the controller, without a prefix length. */
  outOfBand?: string;
  interfaces: InventoryInterface[];
}

export interface InventoryInterface {
  name: string;
  /** Whether it is made of software or of other interfaces: a bridge, a bond, a VLAN. */
  isVirtual: boolean;
  /** Whether it is for managing the server alone, such as its controller's. */
  isManagement: boolean;
  /** In lowercase, with colons; it may be the address of no NIC, such as zeros. */
  mac?: string;
  link: Link;
}

/** Where an interface's cable leads, through all patch panels on its way. */
export type Link =
  | { state: "connected"; switch: string; port: string }
  /** The way is known, but a part of it is not in use, such as a cable that is planned. */
  | { state: "inactive"; switch: string; port: string }
  /** A cable is plugged in, and its way ends where nothing continues; `at` is the last place that is known. */
  | { state: "open"; at: string }
  /** It leads to several ports, or to something that is no port of a device. */
  | { state: "unclear"; to: string }
  | { state: "uncabled" };

/**
 * Why an interface cannot be a host's NIC, for people; undefined for one that can. Those for management
 * alone are none either.
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
