import * as z from "zod";
import type { Clock } from "../../../clock.ts";
import { AppError } from "../../../error.ts";
import type { NetboxApi, NetboxQuery } from "../../netbox/api.ts";
import type { Inventory, InventoryCursor, InventoryPage, InventoryServer } from "../inventory.ts";
import { changesSince, lastEntry } from "./changes.ts";
import {
  deviceFieldsOf,
  deviceSchema,
  type Interface,
  interfaceSchema,
  inventoryServer,
} from "./device.ts";

/** Filters for the devices that are servers, by slug; without filters all devices. */
export type NetboxDevices = {
  [filter in "site" | "role" | "status" | "tag"]?: string | undefined;
};

export interface NetboxInventoryOptions {
  devices: NetboxDevices;
  wall: Clock;
}

const devicesPath = "/api/dcim/devices/";
const interfacesPath = "/api/dcim/interfaces/";
/** Devices of one page, and of one request by ids, which also fetches their interfaces together. */
const pageSize = 100;

const cursorSchema = z.discriminatedUnion("of", [
  z.object({ of: z.literal("all"), after: z.int(), since: z.int() }),
  z.object({ of: z.literal("changes"), since: z.int() }),
]);
type Place = z.infer<typeof cursorSchema>;

/**
 * NetBox as the inventory. Its token needs the permission to view devices, interfaces, cables and the change
 * log.
 */
export class NetboxInventory implements Inventory {
  readonly #api: NetboxApi;
  readonly #wall: Clock;
  readonly #filter: NetboxQuery;

  constructor(api: NetboxApi, { devices, wall }: NetboxInventoryOptions) {
    this.#api = api;
    this.#wall = wall;
    this.#filter = Object.fromEntries(
      Object.entries(devices).filter(([, value]) => value !== undefined),
    );
  }

  async *read(cursor?: InventoryCursor): AsyncGenerator<InventoryPage> {
    const now = this.#wall.now();
    const place = cursor === undefined ? undefined : placeOf(cursor);
    if (place?.of !== "changes") {
      yield* this.#readAll(place ?? { after: 0, since: await lastEntry(this.#api, now) });
      return;
    }
    const { devices, since } = await changesSince(this.#api, place.since, now);
    if (devices === "any") yield* this.#readAll({ after: 0, since });
    else yield* this.#readSome([...devices], place.since, since);
  }

  async lacks(): Promise<string[] | undefined> {
    await lastEntry(this.#api, this.#wall.now());
    const count = await this.#api.count(devicesPath, this.#filter);
    const chosen = Object.values(this.#filter).join(", ");
    return count > 0 ? undefined : [`device${chosen && ` of ${chosen}`}`];
  }

  async *#readAll({ after, since }: Omit<Extract<Place, { of: "all" }>, "of">) {
    const query = { ...this.#filter, fields: deviceFieldsOf(deviceSchema) };
    const pages = this.#api.pages(devicesPath, deviceSchema, query, { after, size: pageSize });
    const page = (servers: InventoryServer[], isLast: boolean, place: Place): InventoryPage => ({
      ...{ servers, gone: [], isOfAll: true, isLast },
      cursor: cursorOf(place),
    });
    for await (const devices of pages) {
      const last = devices.at(-1)?.id ?? after;
      yield page(await this.#withInterfaces(devices), false, { of: "all", after: last, since });
    }
    // Only an empty next page shows that no more devices come, so the last page is empty.
    yield page([], true, { of: "changes", since });
  }

  async *#readSome(ids: number[], before: number, since: number): AsyncGenerator<InventoryPage> {
    for (let n = 0; n === 0 || n < ids.length; n += pageSize) {
      const some = ids.slice(n, n + pageSize);
      const isLast = n + pageSize >= ids.length;
      const query = { ...this.#filter, id: some, fields: deviceFieldsOf(deviceSchema) };
      const found = some.length === 0 ? [] : await this.#api.all(devicesPath, deviceSchema, query);
      const devices = found.filter(({ id }) => some.includes(id));
      const gone = some.filter((id) => !devices.some((device) => device.id === id));
      yield {
        servers: await this.#withInterfaces(devices),
        gone: gone.map(String),
        ...{ isOfAll: false, isLast },
        // Progress within the changes is not stored: after a crash all of them are read again.
        cursor: cursorOf({ of: "changes", since: isLast ? since : before }),
      };
    }
  }

  async #withInterfaces(devices: z.infer<typeof deviceSchema>[]): Promise<InventoryServer[]> {
    if (devices.length === 0) return [];
    const device_id = devices.map(({ id }) => id);
    const query = { device_id, fields: deviceFieldsOf(interfaceSchema) };
    const all = await this.#api.all(interfacesPath, interfaceSchema, query);
    const byDevice = new Map<number, Interface[]>();
    for (const one of all)
      byDevice.set(one.device.id, [...(byDevice.get(one.device.id) ?? []), one]);
    return devices.map((device) => inventoryServer(device, byDevice.get(device.id) ?? []));
  }
}

const cursorOf = (place: Place): InventoryCursor => JSON.stringify(place) as InventoryCursor;

function placeOf(cursor: InventoryCursor): Place {
  try {
    return cursorSchema.parse(JSON.parse(cursor));
  } catch (cause) {
    throw new AppError("Invalid", "the cursor is not of this inventory", { cause });
  }
}
